package mongo

// For the tests of this package.
var (
	FromJSON = fromJSON
	ToJSON   = toJSON
)
