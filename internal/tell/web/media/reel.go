package media

import (
	"mime"
	"net/http"

	"github.com/found-footy/found-footy/internal/footy"
	"github.com/found-footy/found-footy/internal/keep/blob"
)

// Reel serves the film or the picture of a reel.
func (s *Server) Reel(w http.ResponseWriter, r *http.Request) error {
	types := map[string]string{blob.ReelFilm: "video/mp4", blob.ReelPoster: "image/jpeg"}
	file := r.PathValue("file")
	if types[file] == "" {
		return footy.Errorf(footy.CodeNotFound, "find reel", "A reel has a %s and a %s.", blob.ReelFilm, blob.ReelPoster)
	}
	made, err := s.Reader.ReelBytes(r.Context(), r.PathValue("reel"))
	if err != nil {
		return err
	}
	if file == blob.ReelFilm {
		s.Reader.Watching(r.Context(), made.Plan.Key)
		if r.URL.Query().Has("download") {
			w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": "goals-" + made.Plan.Scope.Name() + ".mp4"}))
		}
	}
	// A goal that is taken back must be hidden within a minute.
	return s.serveFor(w, r, blob.ReelKey(made.Plan.Key, file), types[file], made.Plan.Key+file, "public, max-age=20")
}
