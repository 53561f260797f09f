package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/testsuite"

	"github.com/found-footy/found-footy/internal/connect/media"
	"github.com/found-footy/found-footy/internal/connect/source"
	"github.com/found-footy/found-footy/internal/connect/validate"
	"github.com/found-footy/found-footy/internal/connect/validate/gate"
	"github.com/found-footy/found-footy/internal/decide/post/ledger"
	"github.com/found-footy/found-footy/internal/decide/post/round"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/blob/dir"
	"github.com/found-footy/found-footy/internal/keep/store"
	"github.com/found-footy/found-footy/internal/keep/store/sqlite"
	"github.com/found-footy/found-footy/internal/pipeline/download"
)

const (
	recordings = 8 // of one goal
	candidates = 50
	batchSize  = 5
)

// askOnce puts one goal's candidates through the real activities, with a reader that counts, and again with an object store that forgets by
// what footage is recognised.
func askOnce(ctx context.Context, tool *media.Tool, corpus string) error {
	files, err := candidatesOf(corpus)
	if err != nil {
		return err
	}
	fmt.Printf("one goal, %d candidates of %d recordings\n%-22s %12s %9s %16s %10s %12s\n", len(files), recordings, "", "judged posts", "questions", "known by footage", "of another", "CPU s, ours")
	for _, forget := range []bool{true, false} {
		g := &oneGoal{files: files, reader: &counting{}}
		if err := g.play(ctx, tool, forget); err != nil {
			return err
		}
		name := "each post is asked"
		if !forget {
			name = "each footage is asked"
		}
		fmt.Printf("%-22s %12d %9d %16d %10d %12.1f\n", name, g.judged, g.reader.asked, g.known, g.wrong, g.cpu.Seconds())
		for _, s := range g.asked {
			fmt.Println("   asked about", s)
		}
	}
	return nil
}

// candidatesOf are the masters of the first goals and re-uploads of each, in an order that has nothing to do with either.
func candidatesOf(corpus string) ([]truth, error) {
	data, err := os.ReadFile(filepath.Join(corpus, "truth.json"))
	if err != nil {
		return nil, err
	}
	var doc struct {
		Clips []truth `json:"clips"`
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		return nil, err
	}
	var goals []string
	var files []truth
	for _, kind := range []string{"master", "variant"} {
		for n := range candidates {
			seen := map[string]int{}
			for _, t := range doc.Clips {
				if t.Kind != kind {
					continue
				}
				if kind == "master" && n == 0 && len(goals) < recordings {
					goals, files = append(goals, t.Goal), append(files, t)
				}
				if kind == "variant" && slices.Contains(goals, t.Goal) {
					if seen[t.Goal]++; seen[t.Goal] == n+1 && len(files) < candidates {
						files = append(files, t)
					}
				}
			}
		}
	}
	sum := func(t truth) string { s := sha256.Sum256([]byte(t.File)); return string(s[:]) }
	slices.SortFunc(files, func(a, b truth) int { return cmp.Compare(sum(a), sum(b)) })
	for i := range files {
		files[i].File = filepath.Join(corpus, "clips", files[i].File)
	}
	return files, nil
}

// oneGoal stands in for X and counts.
type oneGoal struct {
	source.None
	files                []truth
	reader               *counting
	judged, known, wrong int
	asked                []string
	cpu                  time.Duration
}

const onlyGoal = "1-1"

func (g *oneGoal) play(ctx context.Context, tool *media.Tool, forget bool) error {
	tmp, err := os.MkdirTemp("", "bench-once-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	db, err := sqlite.Open(filepath.Join(tmp, "footy.db"))
	if err != nil {
		return err
	}
	docs := store.New(db)
	defer docs.Close() //nolint:errcheck // it is deleted
	var objects blob.Store
	if objects, err = dir.Open(filepath.Join(tmp, "objects")); err != nil {
		return err
	}
	if forget {
		objects = forgetful{objects}
	}
	now := time.Now()
	e := footy.Event{UID: onlyGoal, ID: onlyGoal, Kind: footy.KindGoal, Minute: footy.Minute{Elapsed: 67}, FirstSeen: now, CertainAt: now}
	round.Begin(&e, now)
	if err := docs.Add(ctx, footy.Fixture{ID: 1, Stage: footy.StageActive, Match: footy.Match{ID: 1, Kickoff: now}, Events: []footy.Event{e}}); err != nil {
		return err
	}
	a := &download.Activities{Store: docs, Blob: objects, Fetcher: g, Decoder: tool, Reader: g.reader, Gate: gate.Defaults(), Tolerance: 3, TempDir: tmp,
		Delays: ledger.DefaultDelays(), Turn: time.Hour, Now: time.Now}
	began := own()
	for first := 0; first < len(g.files); first += batchSize {
		var posts []footy.Post
		var ids []string
		for i := first; i < min(len(g.files), first+batchSize); i++ {
			ids = append(ids, fmt.Sprint(i))
			p, _ := ledger.Offered(1, e, footy.Candidate{PostID: ids[len(ids)-1]}, now)
			posts = append(posts, p)
		}
		if err := docs.AddPosts(ctx, posts); err != nil {
			return err
		}
		if err := batch(a, ids); err != nil {
			return err
		}
	}
	g.cpu = own() - began
	return g.count(ctx, docs)
}

// batch fetches and judges posts, as the workflow does.
func batch(a *download.Activities, ids []string) error {
	var suite testsuite.WorkflowTestSuite
	suite.SetDisableRegistrationAliasing(true)
	suite.SetLogger(log.NewStructuredLogger(slog.New(slog.DiscardHandler)))
	env := suite.NewTestActivityEnvironment()
	env.SetTestTimeout(time.Hour)
	env.RegisterActivity(a.Download)
	env.RegisterActivity(a.Validate)
	in := download.Input{FixtureID: 1, EventUID: onlyGoal}
	var judge []string
	for _, id := range ids {
		val, err := env.ExecuteActivity(a.Download, download.DownloadInput{Input: in, PostID: id})
		if err != nil {
			return err
		}
		var got download.DownloadResult
		if err := val.Get(&got); err != nil {
			return err
		}
		if got.Step == ledger.StepJudge {
			judge = append(judge, id)
		}
	}
	_, err := env.ExecuteActivity(a.Validate, download.ValidateInput{Input: in, Posts: judge})
	return err
}

func (g *oneGoal) count(ctx context.Context, docs store.Store) error {
	posts, err := docs.Posts(ctx, store.PostQuery{EventUID: onlyGoal})
	if err != nil {
		return err
	}
	shows := map[string]string{}
	for _, p := range posts {
		if p.Media != nil {
			shows[footy.ClipID(p.Media.Digest)] = g.file(p.PostID).Goal
		}
	}
	for _, p := range posts {
		switch {
		case p.Verdict == nil:
		case p.Verdict.SameAs == "":
			g.judged++
			g.asked = append(g.asked, strings.TrimSuffix(filepath.Base(g.file(p.PostID).File), ".mp4"))
		default:
			g.judged++
			g.known++
			if shows[p.Verdict.SameAs] != g.file(p.PostID).Goal {
				g.wrong++
			}
		}
	}
	slices.Sort(g.asked)
	return nil
}

// file is what a post carries; posts are numbered.
func (g *oneGoal) file(post string) truth {
	i, err := strconv.Atoi(post)
	if err != nil {
		panic(err) // we numbered them
	}
	return g.files[i]
}

// Fetch implements source.Fetcher.
func (g *oneGoal) Fetch(_ context.Context, c footy.Candidate, w io.Writer, _ func(int64)) (source.Fetched, error) {
	data, err := os.ReadFile(g.file(c.PostID).File)
	if err != nil {
		return source.Fetched{}, err
	}
	sum := sha256.Sum256(data)
	_, err = w.Write(data)
	return source.Fetched{Size: int64(len(data)), Digest: hex.EncodeToString(sum[:])}, err
}

// Probe implements source.Fetcher.
func (g *oneGoal) Probe(context.Context, footy.Candidate) error { return nil }

// counting reads the goal's minute everywhere.
type counting struct {
	mu    sync.Mutex
	asked int
}

func (r *counting) Name() string                { return "bench" }
func (r *counting) Ready(context.Context) error { return nil }

// Showing implements validate.Reader.
func (r *counting) Showing() validate.Showing { return validate.Showing{} }

// Read implements validate.Reader.
func (r *counting) Read(_ context.Context, frames []validate.Frame, _ func()) ([]footy.Reading, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked++
	var out []footy.Reading
	for _, f := range frames {
		out = append(out, footy.Reading{At: f.At, Soccer: true, Clock: fmt.Sprintf("66:%02d", 5+int(f.At))})
	}
	return out, nil
}

// Look is what Read says of the picture.
func (r *counting) Look(ctx context.Context, frames []validate.Frame, wait func()) ([]footy.Reading, error) {
	out, err := r.Read(ctx, frames, wait)
	for i := range out {
		out[i].Clock = ""
	}
	return out, err
}

// forgetful loses by what footage is recognised.
type forgetful struct{ blob.Store }

func (f forgetful) Open(ctx context.Context, key string) (blob.Object, error) {
	if strings.Contains(key, "/footage-") {
		return nil, footy.Errorf(footy.CodeNotFound, "open "+key, "forgotten")
	}
	return f.Store.Open(ctx, key)
}
