package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/found-footy/found-footy/bench/rig"
	"github.com/found-footy/found-footy/internal/pipeline/monitor"
	"github.com/found-footy/found-footy/internal/pipeline/search"
)

// recorded tells the cost of each history that `make record` kept: the longest ones of every kind of workflow.
func recorded(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no histories in %s: record them with make record", dir)
	}
	fmt.Printf("The longest workflows of the recorded match day\n%-24s %10s %8s  %s\n", "history", "activities", "events", "")
	for _, file := range files {
		h, err := rig.Read(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		c := rig.CostOf(h)
		note := ""
		if n, ok := rig.Polled(h); ok && c.History[monitor.Workflow.Name()] > 0 {
			note = fmt.Sprintf("%d fixtures asked; allowed are %d activities", n, rig.Budget(n))
			if c.Activities > rig.Budget(n) {
				note += ", TOO MANY"
			}
		}
		fmt.Printf("%-24s %10d %8d  %s\n", strings.TrimSuffix(filepath.Base(file), ".json.gz"), c.Activities, c.Events, note)
	}
	fmt.Println()
	return whole(filepath.Join(dir, "goal"))
}

// whole tells the cost of the day's dearest goal, all its workflows together. A corrected scorer opens a second round
// of ten searches, so a goal may take a budget for each round.
func whole(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.json.gz"))
	if err != nil || len(files) == 0 {
		return err
	}
	var sum rig.Cost
	for _, file := range files {
		h, err := rig.Read(file)
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		sum.Add(rig.CostOf(h))
	}
	rounds := max(sum.ByName[search.BeginSearch.Name()], 1)
	tell(fmt.Sprintf("The dearest goal of the recorded match day, %d round(s) of searches", rounds), sum, rounds*rig.PopularActivities, rounds*rig.PopularEvents)
	return nil
}
