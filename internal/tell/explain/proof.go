package explain

import "github.com/found-footy/found-footy/internal/decide/clip/stats"

// ProofOrder says what proves clips, and in which order: by a running clock, by a model, which may not be there, the model first or
// not. set is the setting.
func ProofOrder(clock, modelAsked, modelThere, modelFirst bool, set string) string {
	out := "the running clock alone"
	switch {
	case !clock && !modelThere:
		out = "nothing, for there is no model: no clip is shown"
	case !clock:
		out = "the model alone"
	case !modelAsked:
	case !modelThere:
		out += ", for there is no model"
	case modelFirst:
		out = "first the model, then the running clock"
	default:
		out = "first the running clock, then the model"
	}
	return out + " (PROOF=" + set + ")"
}

// ProvenBy says what a clip was proven by.
func ProvenBy(b stats.By) string {
	switch b {
	case stats.ByClockAndPicture:
		return "by its running clock and a model's check"
	case stats.ByModel:
		return "by the model alone"
	case stats.ByClock:
		return "by its running clock alone"
	case stats.ByKnownFootage:
		return "by known footage"
	case stats.ByUnknown:
		return "by a proof no longer kept"
	case stats.NotProven:
		return "unverified"
	}
	return string(b)
}
