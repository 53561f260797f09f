package web

import (
	_ "embed"
	"net/http"
)

//go:embed openapi.json
var openAPI []byte

func (s *Server) apiOpenAPI(w http.ResponseWriter, r *http.Request) {
	newAnswer(http.StatusOK, "application/json; charset=utf-8", openAPI).send(w, r)
}
