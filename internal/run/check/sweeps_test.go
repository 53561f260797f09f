package check_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/decide/keeping"
	"github.com/found-footy/found-footy/internal/keep/blob"
	"github.com/found-footy/found-footy/internal/keep/owner"
	"github.com/found-footy/found-footy/internal/pipeline/upkeep/cleanup"
	"github.com/found-footy/found-footy/internal/run/app"
	"github.com/found-footy/found-footy/internal/run/check"
	"github.com/found-footy/found-footy/internal/tell/health"
)

func clipPart(t *testing.T, a *app.App) health.Part {
	t.Helper()
	return check.New(check.Options{Config: a.Config, Store: a.Store, Blob: a.Blob}).Clips(t.Context())
}

func TestHealthSaysWhoseTheClipsAre(t *testing.T) {
	t.Parallel()
	a := opened(t, parsed(t, nil))
	require.Equal(t, health.StateOK, clipPart(t, a).State)
	require.NoError(t, owner.Mark(t.Context(), a.Owner.Store, "another", "", time.Now()))
	a.Owner = owner.New(a.Owner.Store, a.Store, time.Now) // a minute later
	a.Blob = a.Owner
	p := clipPart(t, a)
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Reason, "another installation")
	for _, words := range []string{"footy clips adopt", "S3_BUCKET", "footy restore"} { // of a guard without settings
		require.Contains(t, p.Remedy, words)
	}
	require.NoError(t, a.Owner.Store.Put(t.Context(), blob.MarkKey, strings.NewReader("{"), 1, blob.Info{}))
	a.Blob = owner.New(a.Owner.Store, a.Store, time.Now)
	f := examined(t, a.Config, health.Clips) // doctor
	require.True(t, f.Required && f.State == health.StateDown)
	require.Contains(t, f.Reason, "cannot be read")
	p = clipPart(t, a)
	require.Equal(t, health.StateDown, p.State)
	require.Contains(t, p.Reason, "cannot be read")
	require.Contains(t, p.Remedy, "footy clips adopt")
}

func TestHealthTellsOfSweepsThatWaitForAnOperator(t *testing.T) {
	t.Parallel()
	a := opened(t, parsed(t, nil))
	at := time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)
	all := cleanup.Sweeps{Last: map[cleanup.Kind]cleanup.Report{
		cleanup.Expired: {At: at, Deleted: keeping.Amount{Objects: 7, Bytes: 3 << 20}},
		cleanup.Orphans: {Held: keeping.HeldOlder, Unknown: keeping.Amount{Objects: 5}, Lies: keeping.Amount{Objects: 9}}}}
	require.NoError(t, a.Store.PutState(t.Context(), cleanup.SweepsKey, all))
	p := clipPart(t, a)
	require.Equal(t, health.StateDegraded, p.State, "which is what an alert tells")
	require.Contains(t, p.Reason, "5 of 9 objects")
	require.Contains(t, p.Reason, "older than the database")
	require.Contains(t, p.Remedy, "footy clips sweep")
	require.Contains(t, p.Facts["deleted_expired"], "7 objects")
	_, err := cleanup.Allow(t.Context(), a.Store, at)
	require.NoError(t, err)
	require.Equal(t, health.StateOK, clipPart(t, a).State)
}

func TestHealthAndDoctorSayThatAnotherCopyOfTheDatabaseUsesTheClips(t *testing.T) {
	t.Parallel()
	a := opened(t, parsed(t, nil))
	require.NoError(t, a.Owner.Renew(t.Context()))
	is, err := owner.InstallationOf(t.Context(), a.Store)
	require.NoError(t, err)
	require.NoError(t, owner.Mark(t.Context(), a.Owner.Store, is.ID, owner.NewLife(), time.Now())) // the other's sweep
	require.Error(t, a.Owner.Renew(t.Context()))
	p := clipPart(t, a)
	require.Equal(t, health.StateDegraded, p.State, "clips are made")
	f := examined(t, a.Config, health.Clips)
	for _, reason := range []string{p.Reason, f.Reason} {
		require.Contains(t, reason, "another copy of this database")
	}
	require.Contains(t, p.Remedy, "(STATE_DIR)")
	require.Contains(t, p.Remedy, "footy clips adopt")
	require.NoError(t, a.Owner.Adopt(t.Context()))
	require.Equal(t, health.StateOK, clipPart(t, a).State)
}
