package scratch

// LockedNow is for tests.
var LockedNow = lockedNow
