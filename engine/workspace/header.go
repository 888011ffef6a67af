package workspace

import "encoding/binary"

// Format is the version of the file format that this package writes and the
// newest that it reads. From 2 on there may be an intake.
const Format = 2

// Header is what a lab starts from. Together with the journal it is the lab.
type Header struct {
	Format    int    // version of the file format; Create and Reset write Format
	Behaviour int    // behaviour version of the engine that ran the commands
	Made      int64  // wall clock when the lab was made, unix seconds
	Epoch     int64  // what the virtual clock counts from, as the engine defines it
	Ring      string // ring specification, text
	Seed      uint64 // of all randomness
}

// cut says that entries of an earlier generation than gen and after N after are
// no longer part of the journal. Free pages keep such entries for a while, and a
// salvage must not bring them back.
type cut struct{ gen, after uint64 }

// maxCuts bounds the list of cuts in a header; the oldest are forgotten first.
const maxCuts = 64

// head is a header as it is stored: with the journal's generation, which
// Truncate and Reset raise, and its cuts, oldest first, with rising after.
type head struct {
	Header
	gen  uint64
	cuts []cut
}

// cutAfter is the head after everything behind entry after was taken away.
func (h head) cutAfter(after uint64) head {
	h.gen++
	var kept []cut
	for _, c := range h.cuts {
		if c.after < after {
			kept = append(kept, c)
		}
	}
	kept = append(kept, cut{h.gen, after})
	h.cuts = kept[max(0, len(kept)-maxCuts):]
	return h
}

// alive reports whether an entry of generation gen with number n is part of the
// journal, as far as the head knows.
func (h head) alive(n, gen uint64) bool {
	for _, c := range h.cuts {
		if gen < c.gen && n > c.after {
			return false
		}
	}
	return true
}

// appendTo appends the head as one record. The format comes first, so that an
// older program can tell that a file is newer.
func (h head) appendTo(dst []byte) ([]byte, error) {
	start := len(dst)
	dst = beginRecord(dst)
	dst = binary.AppendUvarint(dst, uint64(h.Format))
	dst = binary.AppendUvarint(dst, h.gen)
	dst = binary.AppendVarint(dst, int64(h.Behaviour))
	dst = binary.AppendVarint(dst, h.Made)
	dst = binary.AppendVarint(dst, h.Epoch)
	dst = binary.LittleEndian.AppendUint64(dst, h.Seed)
	dst = appendString(dst, h.Ring)
	dst = binary.AppendUvarint(dst, uint64(len(h.cuts)))
	for _, c := range h.cuts {
		dst = binary.AppendUvarint(dst, c.gen)
		dst = binary.AppendUvarint(dst, c.after)
	}
	return dst, sealRecord(dst[start:], kindHeader)
}

// decodeHead reads the payload of a header record. Of a newer format it reads
// only the format, and returns errNewer.
func decodeHead(payload []byte) (head, error) {
	f := fields{b: payload}
	var h head
	format := f.uvarint()
	if f.bad || format == 0 || format > 1<<30 {
		return head{}, errPayload
	}
	h.Format = int(format)
	if h.Format > Format {
		return h, errNewer
	}
	h.gen = f.uvarint()
	h.Behaviour = int(f.varint())
	h.Made, h.Epoch = f.varint(), f.varint()
	h.Seed = f.fixed64()
	h.Ring = string(f.bytes())
	count := f.uvarint()
	if count > maxCuts {
		return head{}, errPayload
	}
	for range count {
		h.cuts = append(h.cuts, cut{f.uvarint(), f.uvarint()})
	}
	if !f.done() {
		return head{}, errPayload
	}
	return h, nil
}
