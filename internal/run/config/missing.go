package config

// Missing tells what a live run still lacks and how to get it. None of it stops the program: the page is served and
// the part concerned waits. account tells that this machine has a session of X.
func (c *Config) Missing(account bool) Problems {
	var out Problems
	if c.Feed.Missing() {
		why, remedy := c.Feed.Lacks()
		out = append(out, Problem{Setting: "FEED", Value: c.Feed.InCharge(), Why: "cannot be followed: " + why, Remedy: remedy})
	}
	if !account && c.Search.ServiceURL == "" && c.Search.BearerToken == "" {
		p := Problem{
			Setting: "X_BEARER_TOKEN", Why: "is not set and nobody has logged in to X here, so no clip is searched for",
			Remedy: "bring an X account (footy x import-cookies FILE; docs/x-login.md), or set it to use the paid X API",
		}
		if c.RedditOn() {
			p.Why = "is not set and nobody has logged in to X here, so posts come from Reddit alone"
		}
		out = append(out, p)
		if c.RedditOn() && c.Reddit.ClientID == "" && c.Reddit.Feed == "" {
			out = append(out, Problem{
				Setting: "REDDIT_FEED", Why: "is not set, so Reddit's public list is asked, which many are refused",
				Remedy: "set it to an address that any free account shows under preferences > RSS feeds (docs/reddit.md); it takes a minute",
			})
		}
	}
	if c.Model.URL == "" && c.Media.ByModel() {
		p := Problem{
			Setting: "LLAMA_URL", Why: "is not set, so no clip can be proven and none is shown",
			Remedy: "start an OpenAI-compatible server with a vision model (llama.cpp, vLLM, Ollama) and set its address",
		}
		if c.Media.ByClock() {
			p.Why = "is not set, so only clips whose running clock can be read are shown"
			p.Remedy += ", or set PROOF=clock to use no model"
		}
		out = append(out, p)
	}
	return out
}
