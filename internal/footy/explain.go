package footy

// Explain says a reason in one sentence for people.
func Explain(r Reason) string {
	if s, ok := explanations[r]; ok {
		return s
	}
	return string(r)
}

var explanations = map[Reason]string{
	ReasonTooShort:     "Too short to be a clip of the goal",
	ReasonTooLong:      "Too long to be a clip of one goal",
	ReasonPortrait:     "Portrait or narrow picture",
	ReasonNotSoccer:    "Shows no football",
	ReasonScreen:       "A phone filming a screen",
	ReasonWrongMinute:  "The broadcast clock shows another minute",
	ReasonSiblingGoal:  "Shows another goal of this match",
	ReasonTruncated:    "The file is cut off",
	ReasonUnreadable:   "The file cannot be decoded",
	ReasonTooLarge:     "The file is too large",
	ReasonDeleted:      "The post is gone",
	ReasonNoVideo:      "The post has no video",
	ReasonGeoBlocked:   "The video is blocked in this country",
	ReasonForbiddenURL: "The video lies on a host that is not allowed",
	ReasonDuplicate:    "The same picture as a clip we have",
	ReasonUnvalidated:  "No verdict yet: no model could look at it",
	ReasonUnavailable:  "Could not be fetched",
	ReasonTombstone:    "Was taken down before",
	ReasonNotChosen:    "Passed over: longer ones came first",
	ReasonVAR:          "The goal was taken back",
	ReasonPlaceholder:  "Never named and gone before it was certain",
	ReasonScoreNeeds:   "The score still counts it",
	ReasonAnomaly:      "The feed contradicted itself",
	ReasonWindowOver:   "The time for searching was over",
	ReasonTriesUsed:    "Too many searches failed",
	ReasonNoSource:     "No source to search in",
	ReasonEventGone:    "The goal no longer stands",
	ReasonNoQuery:      "Neither scorer nor team has a word to search for",
	ReasonKept:         "An operator says that it stands",
	ReasonGaveUp:       "Given up",

	ReasonStorage:          "The object store does not answer",
	ReasonFetchFailed:      "Could not be fetched yet",
	ReasonFetchResting:     "X refuses every post here for now",
	ReasonNoModel:          "No vision model is set up",
	ReasonModelUnreachable: "The vision model does not answer",
	ReasonModelBlind:       "The model cannot see pictures",
	ReasonModelContext:     "The model's context is too small for a question with pictures",
	ReasonModelJunk:        "The model's answer could not be read",
	ReasonModelSlow:        "The model did not answer in time",
	ReasonMachine:          "This machine could not process the file",
	ReasonInterrupted:      "The worker died on it",
}

// ExplainVerdict says a verdict in one sentence for people.
func ExplainVerdict(v Verdict) string {
	var s string
	switch v.Outcome {
	case OutcomeVerified:
		s = "Verified: shows this goal"
	case OutcomeUnverified:
		s = "Accepted, moment not proven"
	case OutcomeUnvalidated:
		s = "Not looked at yet"
	default:
		s = Explain(v.Reason)
	}
	if v.Detail != "" {
		s += ": " + v.Detail
	}
	return s
}
