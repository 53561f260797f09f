package answer

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"

	"github.com/found-footy/found-footy/internal/footy"
)

// ReadBody reads the one JSON object of a request, whose size limit.Guard has checked; an empty body changes nothing. A strict body may not have fields that into
// lacks: an action that understands half of a request would do something else.
func ReadBody(r *http.Request, strict bool, into any) error {
	d := json.NewDecoder(r.Body)
	if strict {
		d.DisallowUnknownFields()
	}
	err := d.Decode(into)
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		if _, err = d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err == nil {
			return footy.Errorf(footy.CodeInvalid, "read body", "the body goes on after its JSON object; send one object")
		}
	}
	return bodyError(err, into)
}

// bodyError says what is wrong without the names of our types.
func bodyError(err error, into any) error {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &kind) && kind.Field == "":
		return footy.Errorf(footy.CodeInvalid, "read body", "the body is a JSON %s; it must be an object", kind.Value)
	case errors.As(err, &kind):
		return footy.Errorf(footy.CodeInvalid, "read body", "field %q is a JSON %s; it must be a %s", kind.Field, kind.Value, kind.Type.Kind())
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return footy.Errorf(footy.CodeInvalid, "read body", "field %s is not known here; known are %s", name, fieldsOf(into))
	}
	return footy.Errorf(footy.CodeInvalid, "read body", "the body is not JSON: %w", err)
}

// fieldsOf lists the names a body may use: "clip_id and reason".
func fieldsOf(into any) string {
	t := reflect.TypeOf(into).Elem()
	var names []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
