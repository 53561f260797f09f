// Package inspect runs one rule on a person's own input and explains the answer.
package inspect
