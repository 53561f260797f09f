package sqlite

// Migrate is what Open does with an older file, for as long as a test waits.
var Migrate = migrate
