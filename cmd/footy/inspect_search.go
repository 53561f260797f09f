package main

import (
	"encoding/json"
	"fmt"
	"os"

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

type inspectTitleCmd struct {
	Titles []string `arg:"" name:"title" help:"Titles of posts, each in quotes."`
	JSON   bool     `help:"Print JSON, one title a line."`
}

func (c inspectTitleCmd) Run() error {
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, text := range c.Titles {
		a := inspect.Title(text)
		if c.JSON {
			if err := out.Encode(a); err != nil {
				return err
			}
			continue
		}
		if _, err := fmt.Print(a); err != nil {
			return err
		}
	}
	return nil
}
