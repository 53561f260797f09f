package config

// Missing tells what a live run still lacks and how to get it. None of it stops the program: the page is served and
// the part concerned waits. account tells that this machine has a session of X.
func (c *Config) Missing(account bool) Problems {
	var out Problems
	if c.Feed.Key == "" {
		out = append(out, Problem{
			Setting: "API_FOOTBALL_KEY", Why: "is not set, so no match is followed",
			Remedy: "make a free account at api-football.com and set the key it shows you",
		})
	}
	if !account && c.Search.ServiceURL == "" && c.Search.BearerToken == "" {
		out = append(out, Problem{
			Setting: "X_BEARER_TOKEN", Why: "is not set and nobody has logged in to X here, so no clip is searched for",
			Remedy: "bring an X account (footy x import-cookies FILE; docs/x-login.md), or set it to use the paid X API",
		})
	}
	if c.Model.URL == "" && c.Media.ByModel() {
		p := Problem{
			Setting: "LLAMA_URL", Why: "is not set, so no clip can be proven and none is shown",
			Remedy: "start an OpenAI-compatible server with a vision model (llama.cpp, vLLM, Ollama) and set its address",
		}
		if c.Media.ByClock() {
			p.Why = "is not set, so only clips whose running clock can be read are shown"
			p.Remedy += ", or set PROOF=clock to leave it at that"
		}
		out = append(out, p)
	}
	return out
}
