package main

// Crowd is the day of so many goals.
var Crowd = crowd
