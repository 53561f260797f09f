package app

// OpenScratch is for the tests: the directory for downloads below a state directory, and what removes it.
func OpenScratch(state string) (dir string, remove func(), err error) {
	s, err := openScratch(state)
	if err != nil {
		return "", nil, err
	}
	return s.dir, s.remove, nil
}
