// Package cdn is the simulated X without its search: the look-up of one post and the bytes of its video.
package cdn

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/found-footy/found-footy/internal/world/fault"
	"github.com/found-footy/found-footy/internal/world/film/draw"
	"github.com/found-footy/found-footy/internal/world/post"
	"github.com/found-footy/found-footy/internal/world/script"
)

// Videos serves GET /{post id}/pu/vid/{size}/{file} with ranges.
type Videos struct {
	posts  *post.Catalog
	dir    string
	faults *fault.Panel
	mu     sync.Mutex // one small rendition is made at a time
}

// NewVideos returns the video host of a day whose clips lie in dir.
func NewVideos(c *post.Catalog, dir string) *Videos { return &Videos{posts: c, dir: dir} }

// Under applies the faults of a panel to the files.
func (v *Videos) Under(p *fault.Panel) *Videos {
	v.faults = p
	return v
}

// ServeHTTP sends a file, or fails the way the post's kind says: geo-blocked for good, or a connection that ends short.
func (v *Videos) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	p, ok := v.posts.ByID(parts[0], time.Now())
	if !ok && !v.faults.On(script.CDNRefused) {
		http.NotFound(w, r)
		return
	}
	if _, on := v.faults.For(script.CDNRefused, p.Is); on || p.Kind == script.GeoBlocked {
		http.Error(w, "Forbidden", http.StatusForbidden)
		return
	}
	if len(parts) != 5 || p.Kind == script.Deleted || p.Kind == script.NoVideo {
		http.NotFound(w, r)
		return
	}
	path, err := v.rendition(r.Context(), p, parts[3])
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	f, err := os.Open(path)
	if err != nil {
		http.Error(w, "clip is not drawn: "+filepath.Base(path), http.StatusInternalServerError)
		return
	}
	defer f.Close()
	w.Header().Set("Content-Type", "video/mp4")
	if p.Kind == script.Truncated {
		w = &short{ResponseWriter: w, left: breakAt(f) - rangeStart(r)}
	}
	http.ServeContent(w, r, "", time.Unix(1700000000, 0), f)
}

// rendition is the file of one size; the smaller one is made when first asked for.
func (v *Videos) rendition(ctx context.Context, p post.Post, size string) (string, error) {
	path := filepath.Join(v.dir, p.Clip.Name())
	if size == fmt.Sprintf("%dx%d", p.Clip.Width, p.Clip.Height) || p.Kind == script.CutFile {
		return path, nil
	}
	small := strings.TrimSuffix(path, ".mp4") + "-low.mp4"
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, err := os.Stat(small); err == nil {
		return small, nil
	}
	return small, draw.Lower(ctx, path, small)
}

func breakAt(f *os.File) int64 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return info.Size() * 3 / 5
}

// rangeStart is where a resumed download begins: the end of a broken file stays out of reach however it is asked for.
func rangeStart(r *http.Request) int64 {
	var start int64
	if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &start); err != nil {
		return 0
	}
	return start
}

// short lets so many bytes through and then breaks the connection, whatever length was promised.
type short struct {
	http.ResponseWriter
	left int64
}

func (s *short) Write(b []byte) (int, error) {
	if s.left <= 0 {
		s.end() // the answer is there, its bytes are not
	}
	if int64(len(b)) > s.left {
		b = b[:s.left]
	}
	n, err := s.ResponseWriter.Write(b)
	s.left -= int64(n)
	if s.left <= 0 {
		s.end()
	}
	return n, err
}

func (s *short) end() {
	if f, ok := s.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
	panic(http.ErrAbortHandler)
}
