package sourcetest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/footy"
)

// FetchFault is how the outside of a fetcher fails, for every request.
type FetchFault string

// The faults.
const (
	LookupRefused FetchFault = "the look-up refuses"       // as X does with a blocked address
	LookupGone    FetchFault = "the look-up knows no post" // as X does with an outdated token
	LookupNothing FetchFault = "the look-up says nothing"  // an empty answer
	LookupLimited FetchFault = "the look-up is limited"    // come back in seven seconds
	LookupBroken  FetchFault = "the look-up is broken"
	NoVideo       FetchFault = "the post has no video"
	FileRefused   FetchFault = "the file is refused"
	FileGone      FetchFault = "the file is gone"
	FileBroken    FetchFault = "the file's host is broken"
	FileIsPage    FetchFault = "a page comes instead of the file"
	FileCut       FetchFault = "the file always ends at the same byte"
	FileUneven    FetchFault = "each connection ends somewhere else"
)

// FetchScript is what the outside of a fetcher has; FetchSetup serves it in the adapter's wire format.
type FetchScript struct {
	Post string // the one post there is
	File []byte

	mu    sync.Mutex
	fault FetchFault
}

// Fault is the present one.
func (s *FetchScript) Fault() FetchFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// FetchBench is one fetcher with its simulated outside.
type FetchBench struct {
	Fetcher source.Fetcher
	Stop    func() // takes the outside down: connections are refused afterwards
}

// FetchSetup builds a fetcher that makes a few quick tries and whose outside answers from the script.
type FetchSetup func(t *testing.T, s *FetchScript) FetchBench

// RunFetcher checks a fetcher: above all that it tells whose fault a failure is.
func RunFetcher(t *testing.T, setup FetchSetup) {
	start := func(t *testing.T, fault FetchFault) (FetchBench, *FetchScript, footy.Candidate) {
		t.Helper()
		c := post(time.Minute, 1)
		s := &FetchScript{Post: c.PostID, File: bytes.Repeat([]byte("football"), 100_000), fault: fault}
		return setup(t, s), s, c
	}
	for fault, want := range map[FetchFault]struct {
		code   footy.Code
		reason footy.Reason
	}{
		LookupRefused: {footy.CodeGeoBlocked, footy.ReasonGeoBlocked},
		LookupGone:    {footy.CodeRejected, footy.ReasonDeleted},
		LookupNothing: {footy.CodeRejected, footy.ReasonDeleted},
		LookupLimited: {footy.CodeRateLimited, footy.ReasonFetchFailed},
		LookupBroken:  {footy.CodeUnavailable, footy.ReasonFetchFailed},
		NoVideo:       {footy.CodeRejected, footy.ReasonNoVideo},
		FileRefused:   {footy.CodeGeoBlocked, footy.ReasonGeoBlocked},
		FileGone:      {footy.CodeRejected, footy.ReasonDeleted},
		FileBroken:    {footy.CodeUnavailable, footy.ReasonFetchFailed},
		FileIsPage:    {footy.CodeUnavailable, footy.ReasonFetchFailed},
		FileCut:       {footy.CodeRejected, footy.ReasonTruncated},
		FileUneven:    {footy.CodeUnavailable, footy.ReasonFetchFailed},
	} {
		t.Run("where "+string(fault)+" it is "+string(want.reason), func(t *testing.T) {
			t.Parallel()
			b, _, c := start(t, fault)
			out, err := os.Create(filepath.Join(t.TempDir(), "video"))
			require.NoError(t, err)
			defer out.Close()
			_, err = b.Fetcher.Fetch(t.Context(), c, out)
			require.Equal(t, want.code, footy.CodeOf(err), "%v", err)
			require.Equal(t, want.reason, footy.ReasonOf(err), "%v", err)
			if fault == FileCut || fault == FileUneven { // the first bytes are there
				return
			}
			err = source.Probe(t.Context(), b.Fetcher, c)
			require.Equal(t, want.code, footy.CodeOf(err), "%v", err)
			require.Equal(t, want.reason, footy.ReasonOf(err), "%v", err)
		})
	}

	t.Run("gives the whole file with its digest", func(t *testing.T) {
		t.Parallel()
		b, s, c := start(t, "")
		var out bytes.Buffer
		got, err := b.Fetcher.Fetch(t.Context(), c, &out)
		require.NoError(t, err)
		sum := sha256.Sum256(s.File)
		require.True(t, bytes.Equal(s.File, out.Bytes()))
		require.Equal(t, hex.EncodeToString(sum[:]), got.Digest)
		require.EqualValues(t, len(s.File), got.Size)
	})

	t.Run("an outside that is down is nobody's fault", func(t *testing.T) {
		t.Parallel()
		b, _, c := start(t, "")
		b.Stop()
		_, err := b.Fetcher.Fetch(t.Context(), c, new(bytes.Buffer))
		require.Equal(t, footy.CodeUnavailable, footy.CodeOf(err))
		require.Equal(t, footy.ReasonFetchFailed, footy.ReasonOf(err))
	})

	t.Run("a caller that gives up learns nothing about the post", func(t *testing.T) {
		t.Parallel()
		b, _, c := start(t, "")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := b.Fetcher.Fetch(ctx, c, new(bytes.Buffer))
		require.ErrorIs(t, err, context.Canceled)
		require.Empty(t, footy.ReasonOf(err))
	})
}
