// Package inspect runs one rule on a person's own input. Each question is a function that reads the input, asks the rule
// and returns its answer: one JSON value for programs, which says itself in plain lines for people (String).
package inspect
