package reddit

// Links are what the posts of a list link to.
func Links(s *Source, raw []byte) (out []string) {
	list, _ := s.read(raw)
	for _, p := range list.posts {
		out = append(out, p.link)
	}
	return out
}

// CommentLinks are the links of a comment where a clip may lie.
func CommentLinks(s *Source, body string) []string { return s.links(body) }
