package main

type inspectCmd struct{}

func (inspectCmd) Run() error { return nil }
