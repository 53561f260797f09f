package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// A part's file: the header, the buckets, where each sketch ends, whose they are, a checksum of all that; then entries and sketches, which are
// mapped, and read where they are needed. What is wrong in these proposes a wrong candidate at worst: the stored fingerprint decides.
type header struct {
	Magic                 [8]byte
	Videos, Entries, Refs uint32 // Refs is how many bytes say whose the videos are
}

var magic = [8]byte{'F', 'F', 'A', 'R', 'C', 'H', '0', '1'}

// ref is whose a video of a part is.
type ref struct {
	id      string // of its fingerprint in the store
	fixture int64
}

// part is one file of the index.
type part struct {
	phash.Part
	mapped []byte
	name   string
	refs   []ref
	dead   map[int]bool // videos whose fingerprints are gone
}

func (p *part) live() int { return len(p.refs) - len(p.dead) }

// unlike is how many videos have no sketch: their fingerprints are of another version.
func (p *part) unlike() (n int) {
	for i, end := range p.Ends {
		if !p.dead[i] && (i == 0 && end == 0 || i > 0 && end == p.Ends[i-1]) {
			n++
		}
	}
	return n
}

// close ends its use.
func (p *part) close() error { return syscall.Munmap(p.mapped) }

func openPart(dir, name string) (_ *part, err error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	p := &part{name: name, dead: map[int]bool{}}
	if p.mapped, err = syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := untorn(p.parse); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", name, err), p.close())
	}
	return p, nil
}

func (p *part) parse() (err error) {
	var h header
	sum := crc32.NewIEEE()
	rest := bytes.NewReader(p.mapped)
	in := io.TeeReader(rest, sum)
	if err := binary.Read(in, binary.LittleEndian, &h); err != nil {
		return err
	}
	if h.Magic != magic || h.Videos > phash.PartVideos || int64(h.Refs) > int64(len(p.mapped)) {
		return errors.New("it is no part of an archive of this version")
	}
	p.Buckets, p.Ends = make([]uint32, phash.PartBuckets+1), make([]uint32, h.Videos)
	refs := make([]byte, h.Refs)
	for _, into := range []any{p.Buckets, p.Ends, refs} {
		if err := binary.Read(in, binary.LittleEndian, into); err != nil {
			return err
		}
	}
	want := sum.Sum32()
	var is uint32
	if err := binary.Read(rest, binary.LittleEndian, &is); err != nil {
		return err
	}
	entries, left := int64(h.Entries)*phash.EntryBytes, int64(rest.Len())
	if is != want || left < entries {
		return errors.New("its checksum is wrong, or it is cut off")
	}
	begin := int64(len(p.mapped)) - left
	p.Entries, p.Sketches = p.mapped[begin:begin+entries], p.mapped[begin+entries:]
	if p.refs, err = parseRefs(refs); err != nil || len(p.refs) != len(p.Ends) || !p.Whole() {
		return errors.Join(errors.New("it does not fit together"), err)
	}
	return nil
}

// errTorn is what reading a file comes to that was cut off while it was mapped, or that the disk does not give.
var errTorn = errors.New("a file of the index cannot be read")

// untorn makes an error of what would end the process.
func untorn(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			fault, is := p.(interface {
				runtime.Error
				Addr() uintptr
			})
			if !is {
				panic(p)
			}
			err = fmt.Errorf("%w: %w", errTorn, fault)
		}
	}()
	return do()
}

func parseRefs(text []byte) (out []ref, err error) {
	for line := range strings.Lines(string(text)) {
		fixture, id, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		n, err := strconv.ParseInt(fixture, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, ref{id, n})
	}
	return out, nil
}

// entry is a video on its way into a part.
type entry struct {
	ref
	sketch phash.Sketch
}

// entries are the videos of a part that are still wanted.
func (p *part) entries() (out []entry) {
	for i, r := range p.refs {
		if !p.dead[i] {
			out = append(out, entry{r, p.Sketch(i)})
		}
	}
	return out
}

// writePart writes the file of a part. It is there whole or not at all.
func writePart(dir, name string, list []entry) error {
	buckets, entries := phash.PackPart(func(visit func(int, phash.Sketch)) {
		for i, e := range list {
			visit(i, e.sketch)
		}
	})
	var refs bytes.Buffer
	var ends []uint32
	end := uint32(0)
	for _, e := range list {
		end += uint32(e.sketch.Beats())
		ends = append(ends, end)
		fmt.Fprintf(&refs, "%d %s\n", e.fixture, e.id)
	}
	h := header{Magic: magic, Videos: uint32(len(list)), Entries: uint32(len(entries)), Refs: uint32(refs.Len())}
	return writeFile(dir, name, func(w io.Writer) error {
		sum := crc32.NewIEEE()
		both := io.MultiWriter(w, sum)
		for _, what := range []any{h, buckets, ends, refs.Bytes()} {
			if err := binary.Write(both, binary.LittleEndian, what); err != nil {
				return err
			}
		}
		for _, what := range []any{sum.Sum32(), entries} {
			if err := binary.Write(w, binary.LittleEndian, what); err != nil {
				return err
			}
		}
		for _, e := range list {
			if _, err := w.Write(e.sketch); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeFile writes a file that is there whole or not at all, also after a crash.
func writeFile(dir, name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(filepath.Join(dir, name+unfinished), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<18)
	if err = write(w); err == nil {
		err = w.Flush()
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// unfinished ends the names of files that are being written.
const unfinished = ".tmp"
