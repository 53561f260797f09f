package temporal

import (
	"fmt"
	"time"
)

const (
	watchEvery = 5 * time.Second
	// lowWater is where SQLite's next checkpoints begin to fail.
	lowWater = 4 << 20
)

// watchDisk says once that the disk is full and once that it is not any more. The server itself only repeats that its
// writes fail; it recovers alone when there is room.
func watchDisk(dir string, stop <-chan struct{}, warn func(string)) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var low bool
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
		}
		free, err := freeBytes(dir)
		switch {
		case err != nil:
		case free < lowWater && !low:
			low = true
			warn(fmt.Sprintf("%s: the disk is full (%d KB left); free some space, workflows wait until then", dir, free>>10))
		case free >= 2*lowWater && low:
			low = false
			warn(dir + ": the disk has room again")
		}
	}
}
