package config

// Missing is what a live run still lacks and how to get it. None of it stops the program: the page is served and
// the part concerned waits. account means that this machine has a session of X.
func (c *Config) Missing(account bool) Problems {
	why, remedy := c.Feed.Lacks()
	noX := !account && c.Search.ServiceURL == "" && c.Search.BearerToken == ""
	noModel := c.Model.URL == "" && c.Media.ByModel()
	const noLogIn = "is not set and nobody has logged in to X here, so "
	const bring = "bring an X account (footy x import-cookies FILE; docs/x-login.md), or set it to use the paid X API"
	const start = "start an OpenAI-compatible server with a vision model (llama.cpp, vLLM, Ollama) and set its address"
	return applying([]rule{
		{c.Feed.Missing(), Problem{"FEED", c.Feed.InCharge(), "cannot be followed: " + why, remedy}},
		{noX && !c.RedditOn(), Problem{"X_BEARER_TOKEN", "", noLogIn + "no clip is searched for", bring}},
		{noX && c.RedditOn(), Problem{"X_BEARER_TOKEN", "", noLogIn + "posts come from Reddit alone", bring}},
		{noX && c.RedditOn() && c.Reddit.ClientID == "" && c.Reddit.Feed == "", Problem{"REDDIT_FEED", "", "is not set, so Reddit's public list is asked, which many are refused",
			"set it to an address that any free account shows under preferences > RSS feeds (docs/reddit.md); it takes a minute"}},
		{noModel && !c.Media.ByClock(), Problem{"LLAMA_URL", "", "is not set, so no clip can be proven and none is shown", start}},
		{noModel && c.Media.ByClock(), Problem{"LLAMA_URL", "", "is not set, so only clips whose running clock can be read are shown", start + ", or set PROOF=clock to use no model"}},
	})
}
