// Package footy is the vocabulary of Found Footy: fixtures, events, candidates, media, clips, verdicts and the log
// that explains them. It imports the standard library only; JSON names are the stored field names.
package footy
