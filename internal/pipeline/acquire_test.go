package pipeline_test

import (
	"context"
	"errors"
	"testing"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/pipeline/acquire"
	"github.com/found-footy/found-footy/internal/pipeline/policy"
	"github.com/stretchr/testify/require"
)

func posts(ids ...string) []footy.Candidate {
	var out []footy.Candidate
	for _, id := range ids {
		out = append(out, footy.Candidate{PostID: id})
	}
	return out
}

func TestDownload(t *testing.T) {
	t.Parallel()
	in := acquire.Input{FixtureID: 5000, EventUID: "5000-1", Download: "download1-Liverpool-Salah", Timing: policy.Defaults()}

	run := func(t *testing.T, open acquire.Registered, fetch func(footy.Candidate) (acquire.Got, error), judge func([]footy.Media) ([]acquire.Judged, error)) *acquire.Handover {
		t.Helper()
		env := setup(t)
		var handed *acquire.Handover
		on(env, policy.RegisterDownload, anything).Return(open, nil)
		on(env, policy.DownloadVideo, anything).Maybe().Return(func(_ context.Context, f acquire.Fetch) (acquire.Got, error) { return fetch(f.Candidate) })
		on(env, policy.Validate, anything).Maybe().Return(func(_ context.Context, j acquire.Judge) ([]acquire.Judged, error) { return judge(j.Media) })
		on(env, policy.QueueUpload, anything).Maybe().Return(func(_ context.Context, h acquire.Handover) error { handed = &h; return nil })
		env.ExecuteWorkflow(policy.DownloadWorkflow, in)
		require.NoError(t, env.GetWorkflowError())
		return handed
	}
	media := func(digest string) func(footy.Candidate) (acquire.Got, error) {
		return func(c footy.Candidate) (acquire.Got, error) {
			return acquire.Got{Media: &footy.Media{Candidate: c, Digest: digest + c.PostID}}, nil
		}
	}
	verified := func(ms []footy.Media) ([]acquire.Judged, error) {
		out := make([]acquire.Judged, len(ms))
		for i := range ms {
			out[i].Verdict.Outcome = footy.OutcomeVerified
		}
		return out, nil
	}

	t.Run("a batch of refused candidates is handed over too", func(t *testing.T) {
		t.Parallel()
		h := run(t, acquire.Registered{Candidates: posts("1")}, func(footy.Candidate) (acquire.Got, error) {
			return acquire.Got{Rejected: footy.ReasonTooShort}, nil
		}, nil)
		require.NotNil(t, h)
		require.Equal(t, in.Download, h.Download)
		require.Empty(t, h.Items)
	})

	t.Run("a batch that was handed over when it was registered is not handed over twice", func(t *testing.T) {
		t.Parallel()
		require.Nil(t, run(t, acquire.Registered{HandedOver: true}, nil, nil))
	})

	t.Run("a goal that no longer stands ends the batch", func(t *testing.T) {
		t.Parallel()
		require.Nil(t, run(t, acquire.Registered{Gone: true}, nil, nil))
	})

	t.Run("one candidate that cannot be fetched is lost with its reason, the others are not", func(t *testing.T) {
		t.Parallel()
		h := run(t, acquire.Registered{Candidates: posts("1", "2", "3")}, func(c footy.Candidate) (acquire.Got, error) {
			if c.PostID == "2" {
				return acquire.Got{}, errors.New("connection reset")
			}
			return media("d")(c)
		}, verified)
		require.Len(t, h.Items, 2)
		require.Len(t, h.Lost, 1)
		require.Equal(t, "2", h.Lost[0].Candidate.PostID)
		require.Equal(t, footy.ReasonUnavailable, h.Lost[0].Reason)
		require.Equal(t, "connection reset", h.Lost[0].Detail, "people read it: no event numbers, nothing twice")
	})

	t.Run("posts with the same bytes are judged once and support one clip", func(t *testing.T) {
		t.Parallel()
		h := run(t, acquire.Registered{Candidates: posts("1", "2")}, func(c footy.Candidate) (acquire.Got, error) {
			return acquire.Got{Media: &footy.Media{Candidate: c, Digest: "same"}}, nil
		}, func(ms []footy.Media) ([]acquire.Judged, error) {
			require.Len(t, ms, 1)
			return verified(ms)
		})
		require.Len(t, h.Items, 1)
		require.Equal(t, "2", h.Items[0].Media.SamePosts[0].PostID)
	})

	t.Run("bytes the event already has are not judged again", func(t *testing.T) {
		t.Parallel()
		h := run(t, acquire.Registered{Candidates: posts("1")}, func(footy.Candidate) (acquire.Got, error) { return acquire.Got{Known: "abc"}, nil }, nil)
		require.Equal(t, "abc", h.Support[0].ClipID)
	})

	t.Run("fail closed: without a verdict nothing is accepted and the media stay owed", func(t *testing.T) {
		t.Parallel()
		h := run(t, acquire.Registered{Candidates: posts("1", "2")}, media("d"), func([]footy.Media) ([]acquire.Judged, error) {
			return nil, errors.New("model is gone")
		})
		require.Empty(t, h.Items)
		require.Len(t, h.Owed, 2)
	})

	t.Run("an unvalidated verdict is owed, a rejection is not handed over", func(t *testing.T) {
		t.Parallel()
		h := run(t, acquire.Registered{Candidates: posts("1", "2")}, media("d"), func(ms []footy.Media) ([]acquire.Judged, error) {
			return []acquire.Judged{{Verdict: footy.Verdict{Outcome: footy.OutcomeUnvalidated}}, {Verdict: footy.Verdict{Outcome: footy.OutcomeRejected}}}, nil
		})
		require.Empty(t, h.Items)
		require.Len(t, h.Owed, 1)
	})
}
