// Package crashpoint lets a test kill this process at a named step of the work, as a power cut would. It does nothing unless
// it was armed, and must never decide anything: a step behaves the same with and without its name here.
package crashpoint

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
)

// The steps, each the moment just after its name came true: what follows has not begun.
const (
	PollStored       = "poll-stored"       // a poll is stored, nothing is decided
	VotesWritten     = "votes-written"     // votes are written, no search was started
	IDsMinted        = "ids-minted"        // a round has its workflow ids, its search was not started
	SearchBegun      = "search-begun"      // the search took the goal up, nothing was asked
	SearchAnswered   = "search-answered"   // X answered, no post is written down
	PostsTaken       = "posts-taken"       // posts are in the ledger, their download was not started
	SearchRecorded   = "search-recorded"   // a search is counted, its download was not started
	DownloadStarted  = "download-started"  // the download runs, nothing is claimed
	Registered       = "registered"        // the posts are claimed, nothing is fetched
	Fetched          = "fetched"           // a file lies on our disk only
	Staged           = "staged"            // it lies in staging, the ledger does not know
	HeldBack         = "held-back"         // it waits for its goal to be certain, nobody looked whether it is by now
	Judged           = "judged"            // the verdict is known, not written down
	HandedOver       = "handed-over"       // the event's Upload was told
	UploadLeaving    = "upload-leaving"    // the upload is about to return
	BytesMoved       = "bytes-moved"       // bytes lie in their place, the goal does not know
	Saved            = "saved"             // the goal knows its clips, nobody was told
	WaitingOffered   = "waiting-offered"   // a waiting post is offered again, its download was not started
	TombstoneWritten = "tombstone-written" // a takedown is written down, the clip still stands
	BytesDeleted     = "bytes-deleted"     // its bytes are gone, nobody was told
	CopiesSwept      = "losers-swept"      // retired copies are marked, their bytes lie there still
	RoundCommitted   = "round-committed"   // "search again" is written down, its search was not started
)

// Names lists the steps in the order in which a clip passes them.
func Names() []string {
	return []string{PollStored, VotesWritten, IDsMinted, SearchBegun, SearchAnswered, PostsTaken, SearchRecorded, DownloadStarted, Registered, Fetched, Staged, HeldBack,
		Judged, HandedOver, UploadLeaving, BytesMoved, Saved, WaitingOffered, CopiesSwept, TombstoneWritten, BytesDeleted, RoundCommitted}
}

// Said stands before the step's name in the last line of a process that killed itself.
const Said = "killed at step "

type bomb struct {
	name string
	left atomic.Int64
}

var armed atomic.Pointer[[]*bomb]

// Arm makes the process kill itself at a step: "name" at the first passing, "name:n" at the n-th, several with commas
// at whichever comes first. "" arms nothing. also are steps of extras.
func Arm(spec string, also ...string) error {
	if spec == "" {
		armed.Store(nil)
		return nil
	}
	known := append(Names(), also...)
	var all []*bomb
	for one := range strings.SplitSeq(spec, ",") {
		name, count, counted := strings.Cut(one, ":")
		n := 1
		if counted {
			var err error
			if n, err = strconv.Atoi(count); err != nil || n < 1 {
				return fmt.Errorf("FOOTY_CRASH_AT=%s: %q is no number of times; write it like saved:2, or unset it", spec, count)
			}
		}
		if !slices.Contains(known, name) {
			return fmt.Errorf("FOOTY_CRASH_AT=%s: there is no step %q; unset it, or name one of %s", spec, name, strings.Join(known, ", "))
		}
		b := &bomb{name: name}
		b.left.Store(int64(n))
		all = append(all, b)
	}
	armed.Store(&all)
	return nil
}

// Here says that the process is at a step. The armed passing does not return.
func Here(name string) {
	all := armed.Load()
	if all == nil {
		return
	}
	for _, b := range *all {
		if b.name == name && b.left.Add(-1) == 0 {
			fmt.Fprintln(os.Stderr, Said+name)
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL) // so that nothing of ours can run: no deferred call, no handler of signals
			select {}                                      // the signal is on its way; what follows this step must not begin
		}
	}
}
