package mongo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// fromJSON turns a JSON object into the BSON document of the same fields in the same order. Whole numbers become 64-bit
// integers and others doubles, so that no digit is lost; a whole number that fits neither is refused. The driver's extended JSON
// would round it, and take a field named "$date" for an instruction (docs/adr/0016).
func fromJSON(body []byte) (bson.D, error) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	v, err := value(dec)
	if err != nil {
		return nil, err
	}
	doc, ok := v.(bson.D)
	if !ok {
		return nil, fmt.Errorf("a document is a JSON object, not %T", v)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("text follows the JSON object")
	}
	return doc, nil
}

func value(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return object(dec)
		}
		return array(dec)
	case json.Number:
		return number(t.String())
	}
	return token, nil // string, bool, nil
}

func object(dec *json.Decoder) (bson.D, error) {
	doc := bson.D{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		v, err := value(dec)
		if err != nil {
			return nil, err
		}
		doc = append(doc, bson.E{Key: escape(name.(string)), Value: v}) // a decoder gives names as strings
	}
	_, err := dec.Token() // the closing brace
	return doc, err
}

func array(dec *json.Decoder) (bson.A, error) {
	list := bson.A{}
	for dec.More() {
		v, err := value(dec)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, err
}

func number(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if !strings.ContainsAny(text, ".eE") {
		return nil, fmt.Errorf("number %s does not fit into 64 bits", text)
	}
	return strconv.ParseFloat(text, 64)
}

// toJSON is the way back.
func toJSON(doc bson.D) ([]byte, error) {
	var b bytes.Buffer
	err := write(&b, doc)
	return b.Bytes(), err
}

func write(b *bytes.Buffer, v any) error {
	switch v := v.(type) {
	case bson.D:
		b.WriteByte('{')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := write(b, unescape(e.Key)); err != nil {
				return err
			}
			b.WriteByte(':')
			if err := write(b, e.Value); err != nil {
				return err
			}
		}
		b.WriteByte('}')
	case bson.A:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := write(b, e); err != nil {
				return err
			}
		}
		b.WriteByte(']')
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Errorf("number %v has no JSON form", v)
		}
		b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
	case bson.DateTime: // a date somebody stored by hand
		return write(b, v.Time().UTC().Format(time.RFC3339Nano))
	case nil, bool, string, int32, int64:
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		b.Write(text)
	default:
		return fmt.Errorf("a value of type %T is none of ours", v)
	}
	return nil
}

// Field names are data where a map is stored, and the server has its own use for dots, dollars and empty names.
var (
	escaper   = strings.NewReplacer("%", "%25", ".", "%2E", "$", "%24", "\x00", "%00")
	unescaper = strings.NewReplacer("%25", "%", "%2E", ".", "%24", "$", "%00", "\x00")
)

const emptyName = "%empty"

func escape(name string) string {
	if name == "" {
		return emptyName
	}
	return escaper.Replace(name)
}

func unescape(name string) string {
	if name == emptyName {
		return ""
	}
	return unescaper.Replace(name)
}
