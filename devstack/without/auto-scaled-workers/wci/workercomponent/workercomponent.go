// Package workercomponent stands in for the worker that scales workers: the embedded engine has none.
package workercomponent

import "go.uber.org/fx"

// Module brings nothing.
var Module = fx.Options()
