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
	ReasonStalled:      "The file takes too long to decode",
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

	ReasonStorage:          "Waits for the clip storage",
	ReasonFetchFailed:      "Could not be fetched yet",
	ReasonFetchResting:     "Waits until posts can be fetched again",
	ReasonNoModel:          "Waits for a model: none is set up",
	ReasonModelUnreachable: "Waits for the model, which cannot be reached",
	ReasonModelBlind:       "Waits for a model that can see pictures",
	ReasonModelContext:     "Waits for a model with a larger context",
	ReasonModelJunk:        "Waits: the model's answer could not be read",
	ReasonModelSlow:        "Waits: the model gave no answer in time",
	ReasonMachine:          "Waits for this machine: its disk or its programs",
	ReasonGaveUp:           "Given up by an operator, or too old to keep",
}

// ExplainWait says in one sentence what a post waits for.
func ExplainWait(cause Reason) string {
	switch cause {
	case ReasonDeleted:
		return "X says that the post is gone; it is asked again before that is believed"
	case ReasonGeoBlocked:
		return "X says that the video is blocked in this country; it is asked again before that is believed"
	case ReasonTruncated:
		return "The file came cut off; it is fetched again before that is believed"
	case ReasonStalled:
		return "The file took too long to decode; it is tried again before that is believed"
	}
	return Explain(cause)
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
