package main

type inspectCmd struct {
	Clip  inspectClipCmd  `cmd:"" help:"Rules about video files: facts, compare, dedup."`
	Clock inspectClockCmd `cmd:"" help:"Judge broadcast clocks read from frames (JSON on standard input)."`
}
