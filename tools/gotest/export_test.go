package main

// Run is the program without its end.
var Run = run
