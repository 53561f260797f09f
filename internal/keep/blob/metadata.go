package blob

import "net/url"

// EncodeMetadata writes UTF-8 as the ASCII that HTTP headers allow: percent-encoded.
func EncodeMetadata(value string) string { return url.PathEscape(value) }

// DecodeMetadata undoes EncodeMetadata; what somebody else wrote plainly stays as it is.
func DecodeMetadata(value string) string {
	if plain, err := url.PathUnescape(value); err == nil {
		return plain
	}
	return value
}
