package main

type inspectCmd struct {
	Feed    inspectFeedCmd    `cmd:"" help:"Tell what the plan of a key allows, and which calls a day of matches costs."`
	Replay  inspectReplayCmd  `cmd:"" help:"Run the match rules over recorded answers of the feed and tell every decision."`
	Query   inspectQueryCmd   `cmd:"" help:"Show the searches a goal would get."`
	Aliases inspectAliasesCmd `cmd:"" help:"Show the words people use for a team and where they come from."`
	Clip    inspectClipCmd    `cmd:"" help:"Rules about video files: facts, compare, dedup, find."`
	Clock   inspectClockCmd   `cmd:"" help:"Judge broadcast clocks read from frames (JSON on standard input)."`

	Timeline inspectTimelineCmd `cmd:"" help:"Read a saved search answer of X."`
	Tweet    inspectTweetCmd    `cmd:"" help:"Read a saved public answer about one post."`
	Title    inspectTitleCmd    `cmd:"" help:"Read the titles under which people post goals."`
}
