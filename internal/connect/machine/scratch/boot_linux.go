package scratch

import (
	"os"
	"strings"
)

// bootID is a text that the kernel makes anew whenever it starts (man 4 random).
func bootID() (string, error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id)), err
}
