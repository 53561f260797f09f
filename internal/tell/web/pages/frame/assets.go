package frame

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"path"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/tell/web/answer"
)

// TypeOf is the media type of a file by its ending; fixed, because the tables of systems differ.
func TypeOf(file string) string {
	switch path.Ext(file) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return "image/png"
}

// addFiles keeps the files of assets/, compressed once. All parts' files have one version in their path, so that modules can import each
// other by relative path and every file can be cached for ever.
func (f *Frame) addFiles(files fs.FS) error {
	sum := sha256.New()
	sum.Write([]byte(f.version))
	entries, err := fs.ReadDir(files, "assets")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		name := e.Name()
		body, err := fs.ReadFile(files, "assets/"+name)
		if err != nil {
			return footy.Wrap(footy.CodeInvalid, "read "+name, err)
		}
		if f.files[name] != nil {
			return footy.Errorf(footy.CodeInvalid, "add files", "two parts have a file %s", name)
		}
		sum.Write([]byte(name))
		sum.Write(body)
		f.files[name] = answer.New(http.StatusOK, TypeOf(name), body)
	}
	f.version = hex.EncodeToString(sum.Sum(nil)[:5])
	return footy.Wrap(footy.CodeInvalid, "list files", err)
}

// Version of the files.
func (f *Frame) Version() string { return f.version }

// URL of a file.
func (f *Frame) URL(file string) string { return "/assets/" + f.version + "/" + file }

// Asset serves a file.
func (f *Frame) Asset(w http.ResponseWriter, r *http.Request) error {
	a, ok := f.files[r.PathValue("file")]
	if !ok {
		return footy.Errorf(footy.CodeNotFound, "asset", "There is no such file.")
	}
	if r.PathValue("version") == f.version {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	a.Send(w, r) // an old page asks for an old version: it gets the present file, which must not be cached
	return nil
}
