package setup

// Write appends settings to a file.
var Write = write
