package pipeline_test

import (
	"fmt"
	"io"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/network"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/footy"
)

// TestAClipThatNothingCanTakeEndsByItself after a day of the same, while others pass; where none does it is not the clip.
func TestAClipThatNothingCanTakeEndsByItself(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		breaks func(b *bench)
		waits  string
	}{
		"decoder": {func(b *bench) { b.down.Decoder = poison{} }, "waiting machine"},
		"model": {func(b *bench) {
			b.model.set(func(film string) error {
				if film == "2" {
					return trouble(footy.ReasonModelJunk)
				}
				return nil
			}, nil)
		}, "waiting model_junk"},
		"server that drops the connection": {func(b *bench) { b.drops("2") }, "waiting model_unreachable"},
	} {
		for _, pass := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ", others pass: ", pass), func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				c.breaks(b)
				in := b.open("2")
				b.over(oneGoal)
				b.batch(in.Download, in)
				hours := func(from, to int) {
					for h := from; h < to; h++ {
						if pass && h%4 == 1 {
							in := b.open(fmt.Sprint("other", h))
							b.batch(in.Download, in)
						}
						b.pass(time.Hour)
						b.cycle()
					}
				}
				hours(0, 23)
				require.Equal(t, c.waits, b.states(oneGoal)["2"])
				hours(23, 50)
				if !pass {
					require.Equal(t, c.waits, b.states(oneGoal)["2"])
					return
				}
				require.Equal(t, "refused unreadable", b.states(oneGoal)["2"])
				require.Len(t, b.rows(oneGoal, footy.EntryRejected), 1, "the page says why")
				require.Empty(t, b.condition().Reason, "one clip says nothing of the model")
			})
		}
	}
}

// TestAClipThatDropsTheConnectionHoldsUpNoOther of its Download: the server is there for them. Where it is gone nothing ends.
func TestAClipThatDropsTheConnectionHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.drops("1")
	in := b.open("1", "2")
	b.over(oneGoal)
	b.batch(in.Download, in)
	require.Equal(t, map[string]string{"1": "waiting model_unreachable", "2": "published"}, b.states(oneGoal))
	b.model.set(func(string) error {
		return &footy.Error{Code: footy.CodeUnavailable, Op: "test", Reason: footy.ReasonModelUnreachable, Err: syscall.ECONNREFUSED}
	}, nil)
	for range 50 {
		b.pass(time.Hour)
		b.cycle()
	}
	require.Equal(t, "waiting model_unreachable", b.states(oneGoal)["1"])
	require.Greater(t, b.post(oneGoal, "1").Tries, 10)
}

// drops has the model's server break the connection off over one film.
func (b *bench) drops(over string) {
	b.model.set(func(film string) error {
		if film != over {
			return nil
		}
		return &footy.Error{Code: footy.CodeUnavailable, Op: "test", Reason: footy.ReasonModelUnreachable, Err: network.InWords(io.ErrUnexpectedEOF)}
	}, nil)
}

// TestAModelThatTakesNoClipIsTold, also where each clip meets it at once and where it passed others minutes before: health goes by it.
func TestAModelThatTakesNoClipIsTold(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	good := b.open("good")
	b.batch(good.Download, good)
	b.model.set(func(string) error { return trouble(footy.ReasonModelContext) }, nil)
	in := b.open("1", "2", "3")
	b.batch(in.Download, in)
	for end := b.at.Add(time.Hour); b.at.Before(end); b.pass(time.Minute) {
		b.cycle()
	}
	model := b.condition()
	require.Equal(t, footy.ReasonModelContext, model.Reason)
	require.Greater(t, model.Clips, 1)
	require.Greater(t, model.At.Sub(model.LastOK), 15*time.Minute)
}

func (b *bench) condition() (c validate.Condition) {
	b.t.Helper()
	require.NoError(b.t, b.store.State(b.t.Context(), validate.ConditionKey, &c))
	return c
}
