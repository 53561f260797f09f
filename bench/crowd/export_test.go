package main

// Crowd is the day of so many goals.
var Crowd = crowd

// Firsts counts goals that had a clip before any had two.
var Firsts = firsts
