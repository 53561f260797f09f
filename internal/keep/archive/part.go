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
	"strconv"
	"strings"

	"github.com/found-footy/found-footy/internal/recognize/phash"
)

// A part's file: the header, the buckets, where each sketch ends, whose they are, a checksum of all that; then entries and sketches, which
// are read one by one. What is wrong in these proposes a wrong candidate at worst: the stored fingerprint decides.
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
	file *os.File
	name string
	refs []ref
	dead map[int]bool // videos whose fingerprints are gone
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

func openPart(dir, name string) (_ *part, err error) {
	f, err := os.Open(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", name, err), f.Close())
		}
	}()
	var h header
	sum := crc32.NewIEEE()
	r := bufio.NewReaderSize(f, 1<<16)
	in := io.TeeReader(r, sum)
	if err := binary.Read(in, binary.LittleEndian, &h); err != nil {
		return nil, err
	}
	if h.Magic != magic || h.Videos > phash.PartVideos || h.Refs > phash.PartVideos<<10 {
		return nil, errors.New("it is no part of an archive of this version")
	}
	p := &part{file: f, name: name, dead: map[int]bool{}}
	p.Buckets, p.Ends = make([]uint32, phash.PartBuckets+1), make([]uint32, h.Videos)
	refs := make([]byte, h.Refs)
	for _, into := range []any{p.Buckets, p.Ends, refs} {
		if err := binary.Read(in, binary.LittleEndian, into); err != nil {
			return nil, err
		}
	}
	want := sum.Sum32()
	var is uint32
	if err := binary.Read(r, binary.LittleEndian, &is); err != nil {
		return nil, err
	}
	if is != want || !p.Sound() || p.Buckets[phash.PartBuckets] != h.Entries {
		return nil, errors.New("its checksum is wrong")
	}
	if p.refs, err = parseRefs(refs); err != nil || len(p.refs) != len(p.Ends) {
		return nil, errors.Join(errors.New("it does not say whose its videos are"), err)
	}
	beats := uint32(0)
	if len(p.Ends) > 0 {
		beats = p.Ends[len(p.Ends)-1]
	}
	begin := int64(binary.Size(h)) + 4*int64(len(p.Buckets)+len(p.Ends)) + int64(h.Refs) + 4
	entries, sketches := int64(h.Entries)*phash.EntryBytes, int64(beats)*phash.SketchBytes
	if info, err := f.Stat(); err != nil || info.Size() != begin+entries+sketches {
		return nil, errors.Join(errors.New("it is cut off"), err)
	}
	p.Entries, p.Sketches = io.NewSectionReader(f, begin, entries), io.NewSectionReader(f, begin+entries, sketches)
	return p, nil
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
	sketch func() (phash.Sketch, error)
}

// entries are the videos of a part that are still wanted.
func (p *part) entries() (out []entry) {
	for i, r := range p.refs {
		if !p.dead[i] {
			out = append(out, entry{r, func() (phash.Sketch, error) { return p.Sketch(i) }})
		}
	}
	return out
}

// writePart writes the file of a part. It is there whole or not at all.
func writePart(dir, name string, list []entry) error {
	each := func(visit func(int, phash.Sketch)) error {
		for i, e := range list {
			s, err := e.sketch()
			if err != nil {
				return err
			}
			visit(i, s)
		}
		return nil
	}
	buckets, entries, err := phash.PackPart(each)
	if err != nil {
		return err
	}
	var refs bytes.Buffer
	var ends []uint32
	end := uint32(0)
	if err := each(func(i int, s phash.Sketch) {
		end += uint32(s.Beats())
		ends = append(ends, end)
		fmt.Fprintf(&refs, "%d %s\n", list[i].fixture, list[i].id)
	}); err != nil {
		return err
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
		var failed error
		err := each(func(_ int, s phash.Sketch) {
			if _, err := w.Write(s); err != nil {
				failed = err
			}
		})
		return errors.Join(err, failed)
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
