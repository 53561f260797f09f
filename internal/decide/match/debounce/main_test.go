package debounce_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain draws 250 matches for each property instead of the library's hundred, unless the command line says how many.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("rapid.checks"); f != nil && f.Value.String() == f.DefValue {
		if err := f.Value.Set("250"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}
