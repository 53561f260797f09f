package reddit

// Links are what the posts of a list link to.
func Links(s *Source, raw []byte) (out []string) {
	list, _ := s.decode(raw)
	for _, p := range list.posts {
		out = append(out, p.link)
	}
	return out
}
