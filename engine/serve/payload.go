package serve

import (
	"fmt"

	"ringlab/engine/native"
	"ringlab/model/types"
)

// ParsePayload reads what becomes of the custom payloads of requests: the usual
// query handler of Cassandra ignores them, CustomPayloadMirroringQueryHandler, of
// which drivers' own tests ask, sends them back with the answers.
func ParsePayload(text string) (echo bool, err error) {
	switch text {
	case "echo", "ignore":
		return text == "echo", nil
	}
	return false, fmt.Errorf("custom payloads are sent back with `echo`, or ignored with `ignore`; not %q", text)
}

// mirrored is a payload as it comes back: each key once with its last value, in
// the order of a Java HashMap that was made for so many.
// Source: Cassandra 5.0 CBUtil.readBytesMap, CustomPayloadMirroringQueryHandler.
func mirrored(payload []native.Pair) []native.Pair {
	if payload == nil {
		return nil
	}
	var keys []string
	values := map[string][]byte{}
	for _, p := range payload {
		if _, twice := values[p.Key]; !twice {
			keys = append(keys, p.Key)
		}
		values[p.Key] = p.Value
	}
	buckets := 1
	for buckets < len(payload) {
		buckets *= 2
	}
	types.SortAsJava(keys, buckets)
	out := make([]native.Pair, len(keys))
	for i, k := range keys {
		out[i] = native.Pair{Key: k, Value: values[k]}
	}
	return out
}
