package stage

// FreePorts is for tests.
var FreePorts = freePorts
