// Package arch holds no code: its tests compare ARCHITECTURE.md and the other documents with the sources and fail when
// they part.
package arch
