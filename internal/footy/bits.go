//go:build 386 || arm || mips || mipsle

package footy

// The embedded engine does not build on 32 bits; the compiler says so here, before any other error.
var _ = found_footy_needs_a_64_bit_machine
