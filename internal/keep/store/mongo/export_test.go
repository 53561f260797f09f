package mongo

// For the tests of this package.
var (
	FromJSON = fromJSON
	ToJSON   = toJSON

	ClientOptions = clientOptions
)

// Hook has f called between the steps of what is more than one write; its error ends it there.
func (b *Backend) Hook(f func(step string) error) { b.hook = f }

// Name is the database's.
func (b *Backend) Name() string { return b.db.Name() }
