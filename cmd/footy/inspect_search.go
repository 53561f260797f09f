package main

import (
	"github.com/found-footy/found-footy/internal/inspect"
)

type inspectTimelineCmd struct {
	File string `arg:"" help:"A saved answer: SearchTimeline of the web page, or recent search of API v2."`
	JSON bool   `help:"Print JSON."`
}

func (c inspectTimelineCmd) Run() error {
	a, err := inspect.Timeline(c.File)
	if err != nil {
		return err
	}
	return printAnswer(c.JSON, a)
}

type inspectTweetCmd struct {
	File string `arg:"" help:"A saved tweet-result: the public answer about one post."`
	JSON bool   `help:"Print JSON."`
}

func (c inspectTweetCmd) Run() error {
	a, err := inspect.Tweet(c.File)
	if err != nil {
		return err
	}
	return printAnswer(c.JSON, a)
}
