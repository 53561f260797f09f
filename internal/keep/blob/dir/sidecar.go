package dir

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"os"
	"path"

	"github.com/found-footy/found-footy/internal/keep/blob"
)

// etag names one version of a file. Put gives every version a modification time of its own.
func etag(info fs.FileInfo) string {
	return fmt.Sprintf("%x-%x", info.ModTime().UnixNano(), info.Size())
}

// infoFile is where the words of one version of an object lie, as JSON.
func (s *Store) infoFile(key, etag string) string { return s.file(metaDir, key+"."+etag+".json") }

func (s *Store) writeInfo(key, etag string, info blob.Info) error {
	body, err := json.Marshal(info)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(s.file(tempDir), "info-*")
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = intoDirectory(f.Name(), s.infoFile(key, etag))
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// readInfo reads the words of a version.
func (s *Store) readInfo(key, etag string) (blob.Info, error) {
	body, err := os.ReadFile(s.infoFile(key, etag))
	if err != nil {
		return blob.Info{}, err
	}
	var words blob.Info
	if err := json.Unmarshal(body, &words); err != nil {
		return blob.Info{}, fmt.Errorf("read %s: %w", s.infoFile(key, etag), err)
	}
	if words.ContentType == "" {
		words.ContentType = typeByName(key)
	}
	return words, nil
}

func (s *Store) dropInfo(key, etag string) error {
	file := s.infoFile(key, etag)
	if err := os.Remove(file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	s.prune(path.Dir(file))
	return nil
}

func typeByName(key string) string {
	ext := path.Ext(key)
	if ext == ".mp4" { // not in every machine's table
		return "video/mp4"
	}
	return cmp.Or(mime.TypeByExtension(ext), "application/octet-stream")
}
