package main

import "context"

func drawCorpus(ctx context.Context, dir string, jobs int) error { return nil }
