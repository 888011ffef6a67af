package workspace

import (
	"encoding/binary"
	"fmt"
)

// A group is one value of the journal: the records of consecutive entries. It
// holds at most groupEntries of them and ends early beyond groupBytes.
const (
	groupEntries = 256
	groupBytes   = 1 << 20
)

// headEvery is how often, in entries, a group begins with a copy of the header,
// so that a file that lost its first pages still tells what its commands ran on.
const headEvery = 1024

// group is one key and value of the journal.
type group struct {
	first uint64 // N of the first entry
	count uint32
	value []byte
}

func (g *group) last() uint64 { return g.first + uint64(g.count) - 1 }

func (g *group) key() []byte {
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint64(nil, g.first), g.count)
}

// parseKey reads a journal key; its value stays empty.
func parseKey(key []byte) (group, error) {
	if len(key) != 12 {
		return group{}, fmt.Errorf("a key of %d bytes in the journal", len(key))
	}
	g := group{first: binary.BigEndian.Uint64(key), count: binary.BigEndian.Uint32(key[8:])}
	if g.first == 0 || g.count == 0 || g.count > groupEntries || g.last() < g.first {
		return group{}, fmt.Errorf("the key %x in the journal", key)
	}
	return g, nil
}

// makeGroups numbers entries from first, in place, and encodes them. The values
// are parts of the returned buffer, which begins with buf's memory.
func makeGroups(buf []byte, h head, entries []Entry, first uint64) ([]group, []byte, error) {
	var groups []group
	var starts []int
	buf = buf[:0]
	for i := range entries {
		e := &entries[i]
		e.N = first + uint64(i)
		n := len(groups)
		if n == 0 || groups[n-1].count == groupEntries || len(buf)-starts[n-1] >= groupBytes {
			groups = append(groups, group{first: e.N})
			starts = append(starts, len(buf))
			n++
			var err error
			if (e.N-1)/headEvery != (e.N+groupEntries-2)/headEvery || e.N == 1 {
				if buf, err = h.appendTo(buf); err != nil {
					return nil, buf, err
				}
			}
		}
		var err error
		if buf, err = appendEntry(buf, e, h.gen); err != nil {
			return nil, buf, fmt.Errorf("command %d is %w", e.N, err)
		}
		groups[n-1].count++
	}
	for i := range groups {
		end := len(buf)
		if i+1 < len(groups) {
			end = starts[i+1]
		}
		groups[i].value = buf[starts[i]:end:end]
	}
	return groups, buf, nil
}

// each reads the entries of a group in order. Their numbers must be the key's.
func (g *group) each(r *entryReader, visit func(Entry) error) error {
	next, rest := g.first, g.value
	for len(rest) > 0 {
		kind, payload, after, err := readRecord(rest)
		if err != nil {
			return g.fault(next, err)
		}
		rest = after
		if kind == kindHeader {
			continue
		}
		e, _, err := r.decode(payload)
		if err == nil && (kind != kindEntry || e.N != next || next > g.last()) {
			err = fmt.Errorf("found command %d", e.N)
		}
		if err != nil {
			return g.fault(next, err)
		}
		next++
		if err := visit(e); err != nil {
			return err
		}
	}
	if next != g.last()+1 {
		return g.fault(next, errCut)
	}
	return nil
}

func (g *group) fault(n uint64, err error) error {
	return &groupFault{n, fmt.Sprintf("reading command %d: %v", n, err)}
}

// groupFault says that what is stored of a group is not what was stored.
type groupFault struct {
	n    uint64 // the first entry that could not be read
	text string
}

func (e *groupFault) Error() string { return e.text }

// split parts a group after entry n, which is in it but not its last.
func (g *group) split(n uint64) (left, right group, err error) {
	at, next := 0, g.first
	for next <= n {
		kind, _, rest, err := readRecord(g.value[at:])
		if err != nil {
			return group{}, group{}, g.fault(next, err)
		}
		at = len(g.value) - len(rest)
		if kind == kindEntry {
			next++
		}
	}
	left = group{g.first, uint32(n - g.first + 1), g.value[:at:at]}
	right = group{n + 1, uint32(g.last() - n), g.value[at:]}
	return left, right, nil
}
