package main

import (
	"fmt"

	"github.com/found-footy/found-footy/internal/inspect"
)

type xCmd struct {
	Token xTokenCmd `cmd:"" help:"Compute the token that the public look-up of a post wants."`
}

type xTokenCmd struct {
	ID string `arg:"" help:"Post id, or the post's address."`
}

func (c xTokenCmd) Run() error {
	token, err := inspect.Token(c.ID)
	if err != nil {
		return err
	}
	fmt.Println(token)
	return nil
}
