package posting_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/connect/source/x/xapi/bill"
	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/posting"
	"github.com/found-footy/found-footy/internal/tell/posting/xpost"
	"github.com/found-footy/found-footy/internal/world/serve/search/paid"
	"github.com/found-footy/found-footy/internal/world/serve/social"
)

// onX is a target at an account of X that is billed.
func onX(t *testing.T, account *paid.Account, ledger bill.Ledger, link string) (*bundle, *social.X) {
	t.Helper()
	x := &social.X{Account: account}
	var b *bundle
	s := xpost.New(xpost.Options{URL: serve(t, x), Key: social.XKey, KeySecret: social.XKeySecret, Token: social.XToken, TokenSecret: social.XTokenSecret,
		DailyCap: 1, Ledger: ledger, Now: func() time.Time { return b.now }})
	b = setup(t, s, func(o *posting.Options) { o.BaseURL = link })
	b.clip("aa", 1000, true)
	return b, x
}

func spent(t *testing.T, l bill.Ledger, at time.Time) float64 {
	t.Helper()
	book, err := l.Read(t.Context())
	require.NoError(t, err)
	return float64(book.Days[at.UTC().Format(time.DateOnly)]) / 1000
}

func TestWhatPostsAtXCostIsCountedAsXBillsIt(t *testing.T) {
	t.Parallel()
	for link, price := range map[string]float64{"": 0.015, "https://goals.example": 0.200} {
		account, ledger := &paid.Account{}, bill.NewMemory()
		b, _ := onX(t, account, ledger, link)
		require.NoError(t, b.look())
		require.InDelta(t, price, account.Bill().Dollars, 1e-9)
		require.InDelta(t, price, spent(t, ledger, b.now), 1e-9)
		did, err := b.target.SendTest(t.Context())
		require.NoError(t, err)
		require.Contains(t, did, "for $0.01; nothing was posted. A post costs $0.015, one with a link (POST_X_LINK) $0.20; ")
		require.Contains(t, did, "of the day's $1.00 spent")
		require.InDelta(t, account.Bill().Dollars, spent(t, ledger, b.now), 1e-9)
	}
	t.Run("also where an answer was lost and the posts are listed", func(t *testing.T) {
		t.Parallel()
		account, ledger := &paid.Account{}, bill.NewMemory()
		b, x := onX(t, account, ledger, "")
		x.SetTrouble(func(string) social.Fault { return social.Cut })
		require.Error(t, b.look())
		x.SetTrouble(nil)
		b.now = b.now.Add(5 * time.Minute)
		require.NoError(t, b.look())
		require.Equal(t, footy.PostingDone, b.posting().Step)
		require.InDelta(t, account.Bill().Dollars, spent(t, ledger, b.now), 1e-9)
	})
}

func TestTheDailyCapOfPostsAtXIsNeverPassed(t *testing.T) {
	t.Parallel()
	account, ledger := &paid.Account{}, bill.NewMemory()
	b, x := onX(t, account, ledger, "")
	require.NoError(t, ledger.Change(t.Context(), func(book *bill.Book) bool {
		book.Days = map[string]bill.Money{b.now.Format(time.DateOnly): bill.Dollars(0.99)}
		return true
	}))
	require.Error(t, b.look())
	require.Empty(t, x.Standing())
	require.Contains(t, b.posting().Error, "Raise POST_X_DAILY_CAP, or wait for midnight UTC.")
	require.Zero(t, account.Bill().Dollars)
	b.now = b.now.Truncate(24 * time.Hour).Add(24 * time.Hour)
	b.change(func(e *footy.Event) { e.CertainAt = b.now })
	require.NoError(t, b.look())
	require.Len(t, x.Standing(), 1)
}

// TestPostsAtXWaitForMoney: 402 was a refusal of the goal for good.
func TestPostsAtXWaitForMoney(t *testing.T) {
	t.Parallel()
	for want, remedy := range map[paid.Want]string{paid.NoCredits: "Add credits", paid.MonthlyCap: "Raise the monthly cap"} {
		wants := want
		account := &paid.Account{Wants: func() paid.Want { return wants }}
		b, x := onX(t, account, bill.NewMemory(), "")
		require.Error(t, b.look())
		require.Contains(t, b.posting().Error, remedy)
		require.Empty(t, b.posting().Refused)
		wants = paid.Nothing
		b.now = b.now.Add(2 * time.Minute)
		require.NoError(t, b.look())
		require.Len(t, x.Standing(), 1)
		require.Empty(t, b.posting().Error)

		wants = want
		b.change(func(e *footy.Event) { e.Removed = true })
		require.Error(t, b.look())
		wants = paid.Nothing
		b.now = b.now.Add(2 * time.Minute)
		require.NoError(t, b.look(), "a deletion waits for nothing but its next try")
		require.Empty(t, x.Standing())
	}
}

func billed(url string, ledger bill.Ledger) *xpost.Account {
	return xpost.New(xpost.Options{URL: url, Key: social.XKey, KeySecret: social.XKeySecret, Token: social.XToken,
		TokenSecret: social.XTokenSecret, DailyCap: 1, Ledger: ledger, Now: func() time.Time { return kickoff }})
}

// TestFailedReadsOfXAreNotCounted: X bills what it answers. A read whose answer was lost may have been billed.
func TestFailedReadsOfXAreNotCounted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fail  http.HandlerFunc
		spent float64
	}{
		"failed": {func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "<html>Bad Gateway</html>", http.StatusBadGateway)
		}, 0},
		"lost": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, 0.010},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ledger := bill.NewMemory()
			s := billed(serve(t, c.fail), ledger)
			_, err := s.Test(t.Context())
			require.Error(t, err)
			require.InDelta(t, c.spent, spent(t, ledger, kickoff), 1e-9)
			_, err = s.Create(t.Context(), posting.Post{Text: "Goal"})
			require.ErrorIs(t, err, posting.ErrUnknown)
			require.InDelta(t, c.spent+0.015, spent(t, ledger, kickoff), 1e-9, "it may have been posted")
		})
	}
}

// TestALinkIsPricedAsOneHoweverItIsWritten: X makes a link of each of them, and of no name of a club.
func TestALinkIsPricedAsOneHoweverItIsWritten(t *testing.T) {
	t.Parallel()
	for text, price := range map[string]float64{
		"HTTPS://GOALS.EXAMPLE/g/1": 0.200, "Https://goals.example": 0.200, "goals.com": 0.200, "see GOALS.COM": 0.200, "see Goals.Com.": 0.200,
		"goals.github.io/1": 0.200, "1.FC Köln - FC St.Pauli 1-0. Goal!": 0.015, "M.Salah 59'": 0.015,
	} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			ledger := bill.NewMemory()
			s := billed(serve(t, &social.X{}), ledger)
			_, err := s.Create(t.Context(), posting.Post{Text: text})
			require.NoError(t, err)
			require.InDelta(t, price, spent(t, ledger, kickoff), 1e-9)
		})
	}
}
