package evening_test

import "time"

// item is something that happens: at its time, or by its key where all are due; then in the order of asking.
type item struct {
	at  time.Time
	key int
	seq int
	do  func()
}

// queue is a heap of items.
type queue []item

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	a, b := q[i], q[j]
	switch {
	case !a.at.Equal(b.at):
		return a.at.Before(b.at)
	case a.key != b.key:
		return a.key < b.key
	}
	return a.seq < b.seq
}

func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

func (q *queue) Push(v any) { *q = append(*q, v.(item)) }

func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
