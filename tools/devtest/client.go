package devtest

import "net/http"

// Client asks on a new connection each time. httptest closes the idle ones of the default client whenever a server of any test ends, and one
// whose answer has no body is idle before the answer is handed over: "http: CloseIdleConnections called".
var Client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
