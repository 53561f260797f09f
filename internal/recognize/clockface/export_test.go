package clockface

// Differ is for tests.
var Differ = differ
