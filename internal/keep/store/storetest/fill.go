package storetest

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"

	"github.com/found-footy/found-footy/internal/footy"
)

// Filled returns a T in which every field, however deep, has a value of its own that is not zero: a field that an adapter
// loses, cuts or mixes up shows. New fields are filled without anybody remembering to.
func Filled[T any]() T {
	var v T
	n := 0
	fill(reflect.ValueOf(&v).Elem(), &n)
	return v
}

var (
	timeType = reflect.TypeFor[time.Time]()
	anyMap   = reflect.TypeFor[map[string]any]()
	rawType  = reflect.TypeFor[json.RawMessage]()
)

// stored reports whether a field is part of the document.
func stored(f reflect.StructField) bool { return f.Tag.Get("json") != "-" }

func fill(v reflect.Value, n *int) {
	*n++
	switch {
	case v.Type() == timeType:
		// Nanoseconds: a database that keeps milliseconds must not cut them.
		v.Set(reflect.ValueOf(time.Date(2026, 8, 15, 15, 0, *n%60, 123456789+*n, time.UTC)))
		return
	case v.Type() == rawType:
		// With its names sorted, as some databases give them back.
		v.SetBytes(fmt.Appendf(nil, `{"list":[0.1,{}],"none":null,"number":%d,"text":"⚽"}`, 1<<53+*n))
		return
	case v.Type() == anyMap:
		v.Set(reflect.ValueOf(map[string]any{
			"number": float64(*n), "fraction": 0.1, "negative": -1e-9, "large": 1e21, "text": "Højlund \"⚽\"\n", "yes": true,
			"none": nil, "list": []any{float64(1), "two", map[string]any{}}, "map": map[string]any{"a.b": "$", "$c": "%2E", "": "empty"},
		}))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if stored(v.Type().Field(i)) {
				fill(v.Field(i), n)
			}
		}
		if f, ok := v.Addr().Interface().(*footy.Frame); ok {
			f.Detail = f.Detail>>8 | f.Detail&0xff // it has 56 bits
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), n)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		fill(v.Index(0), n)
		fill(v.Index(1), n)
	case reflect.Array:
		for i := range v.Len() {
			fill(v.Index(i), n)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for _, name := range []string{"33_7_Goal", "with.dot", "$dollar", "100%25", "\x00"} {
			value := reflect.New(v.Type().Elem()).Elem()
			fill(value, n)
			v.SetMapIndex(reflect.ValueOf(name).Convert(v.Type().Key()), value)
		}
	case reflect.String:
		v.SetString(fmt.Sprintf("text %d: Łukasz Đ. \"⚽\" <b>&", *n))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(1<<53 + int64(*n)) // a double would lose the last digit
	case reflect.Int32, reflect.Int16, reflect.Int8:
		v.SetInt(int64(*n % 100))
	case reflect.Uint64, reflect.Uint:
		v.SetUint(1<<63 + uint64(*n)) //nolint:gosec // small and positive
	case reflect.Uint32, reflect.Uint16, reflect.Uint8:
		v.SetUint(uint64(1 + *n%200)) //nolint:gosec // small and positive
	case reflect.Float64, reflect.Float32:
		v.SetFloat(float64(*n) + 0.1)
	default:
		panic(fmt.Sprintf("storetest cannot fill a %s: teach it", v.Type()))
	}
}

// zeros lists the paths of zero fields: what fill forgot, or what a round trip lost.
func zeros(path string, v reflect.Value) (found []string) {
	if v.Type() == timeType || v.Kind() == reflect.Interface {
		if v.IsZero() {
			return []string{path}
		}
		return nil
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if stored(v.Type().Field(i)) {
				found = append(found, zeros(path+"."+v.Type().Field(i).Name, v.Field(i))...)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			found = append(found, zeros(fmt.Sprintf("%s[%d]", path, i), v.Index(i))...)
		}
		if v.Len() == 0 {
			found = append(found, path)
		}
	case reflect.Pointer:
		if v.IsNil() {
			return []string{path}
		}
		return zeros(path, v.Elem())
	default:
		if v.IsZero() {
			return []string{path}
		}
	}
	return found
}
