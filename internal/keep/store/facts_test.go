package store_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/keep/store"
)

// calls are those that read or write a fact, with the expression of its key.
var calls = regexp.MustCompile(`(?:[.\w]*(?:tore|tate|\bs|\bst)\.(?:State|PutState|UpdateState)\(\w+|(?:ChangeState|Mend)\([\w.]+\(?[\w.]*\)?, [\w.]+), ([^,]+(?:\([^)]*\))?),`)

// keys are the keys that expressions stand for.
var keys = map[string]string{
	"at.FetchHealthKey()": "fetch_health", "source.PlaceOf(p.PostID).FetchHealthKey()": "fetch_health_reddit",
	"source.SearchersKey": "searchers", "ingest.StateKey": "ingest", "canary.StateKey": "canary", "hosts.StateKey": "clip_hosts",
	"QuotaKey": "feed_quota", "PaceKey": "feed_pace", "monitor.PaceKey": "feed_pace", "OutageKey": "feed_outage",
	"monitor.OutageKey": "feed_outage", "sweepKey": "sweep", "SweepsKey": "sweeps", "sweepsKey": "sweeps", "ClockKey": "retention_clock", "cleanup.ClockKey": "retention_clock",
	"validate.ConditionKey": "model_health", "f.opt.key()": "followed_names", "l.opt.key()": "followed_names/espn", `"posting/"+t.key`: "posting/bluesky",
	"journalKey": "page_changes", "t.key": "notify/1", "keysKey": "push/keys", "devicesKey": "push/devices", "toldKey(d)": "push/told/1", "feedKey": "feed",
	"SpentOnSearches": "x_spent_on_searches", "restoredKey": "restored", "leaseKey(name)": "lease/model",
	"answersKey(a.FixtureID)": "answers/1", "answersKey(fixtureID)": "answers/1",
	"StateKey": "", "stateKey": "", // by the package: below
	"key": "", // hands a key on
}

var byPackage = map[string]string{"ingest": "ingest", "canary": "canary", "backup": "backup", "owner": "installation"}

// TestEveryFactIsInTheTable: what a program does without a fact that cannot be read has to be decided for each of them.
func TestEveryFactIsInTheTable(t *testing.T) {
	t.Parallel()
	met := map[string]bool{}
	root := filepath.Join("..", "..")
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.Contains(path, "storetest") {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range calls.FindAllStringSubmatch(string(text), -1) {
			key, ok := keys[m[1]]
			require.True(t, ok, "%s: is %s in the lists of facts? Then say here which key it is", path, m[1])
			if strings.EqualFold(m[1], "StateKey") {
				key = byPackage[filepath.Base(filepath.Dir(path))]
				require.NotEmpty(t, key, path)
			}
			if key != "" {
				met[key] = true
				require.True(t, store.Known(key), "%s: say in facts.go what %s is, and what is done where it cannot be read", path, key)
			}
		}
		return nil
	}))
	if _, err := os.Stat(filepath.Join(root, "extra")); err == nil { // what extras keep outlives them
		require.Len(t, met, store.Facts(), "the lists have what nothing reads, or a reader was not found: %v", met)
	}
	require.False(t, store.Known("feed_pace/other"), "what is in no list must not be guessed")
}
