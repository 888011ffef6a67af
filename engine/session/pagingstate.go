package session

import (
	"encoding/binary"
	"math"

	"ringlab/model/schema"
	"ringlab/model/types"
)

// pagingState is a paging state as Cassandra writes it, one layout for version 3
// of the protocol and one for those after it. The key is empty where a SELECT
// reads one partition only. Source: Cassandra 5.0 PagingState.
type pagingState struct {
	key    []byte
	row    []byte // clustering of the last row, empty for none
	left   int    // rows that LIMIT leaves, of noLimit without one
	inPart int    // rows that are left of the partition, counted likewise
	column []byte // of version 3: the last cell of the row
}

// bytes writes a state; legacy says that it is for version 3, whose states name
// a cell.
func (p *pagingState) bytes(t *schema.Table, legacy bool) []byte {
	if legacy && t.Family == nil {
		return p.legacyBytes(t)
	}
	var b []byte
	for _, part := range [][]byte{p.key, rowMark(t, p.row)} {
		b = append(types.AppendUnsignedVInt(b, uint64(len(part))), part...)
	}
	return types.AppendUnsignedVInt(types.AppendUnsignedVInt(b, uint64(p.left)), uint64(p.inPart))
}

// rowMark is a clustering with a header for every 32 values, which has two bits
// for each: the first says that it is empty, the second that it is null.
// Source: Cassandra 5.0 PagingState.RowMark, ClusteringPrefix.Serializer.
func rowMark(t *schema.Table, row []byte) []byte {
	var values [][]byte
	for v, rest, ok := schema.NextComponent(row); ok; v, rest, ok = schema.NextComponent(rest) {
		values = append(values, v)
	}
	if len(values) == 0 {
		return nil
	}
	there := len(values) // the rest is null
	values = append(values, make([][]byte, max(0, len(t.Clustering)-there))...)
	var b []byte
	for i, v := range values {
		if i%32 == 0 {
			header := uint64(0)
			for j := i; j < len(values) && j < i+32; j++ {
				switch {
				case j >= there:
					header |= 2 << (j % 32 * 2)
				case len(values[j]) == 0:
					header |= 1 << (j % 32 * 2)
				}
			}
			b = types.AppendUnsignedVInt(b, header)
		}
		if len(v) > 0 {
			b = append(types.AppendUnsignedVInt(b, uint64(len(v))), v...)
		}
	}
	return b
}

// legacyBytes writes a state of version 3: the row by the name of its last cell.
// Source: Cassandra 5.0 PagingState.legacySerialize, RowMark.encodeCellName.
func (p *pagingState) legacyBytes(t *schema.Table) []byte {
	var mark []byte
	component := func(v []byte) {
		mark = append(append(binary.BigEndian.AppendUint16(mark, uint16(len(v))), v...), 0)
	}
	if len(p.row) > 0 || len(t.Clustering) == 0 {
		for v, rest, ok := schema.NextComponent(p.row); ok; v, rest, ok = schema.NextComponent(rest) {
			component(v)
		}
		component(p.column)
	}
	b := append(binary.BigEndian.AppendUint16(nil, uint16(len(p.key))), p.key...)
	b = append(binary.BigEndian.AppendUint16(b, uint16(len(mark))), mark...)
	return binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(b, uint32(p.left)), uint32(p.inPart))
}

// readPagingState reads a state of either layout, first that of the connection's
// version; ok is false for one that is none.
func readPagingState(b []byte, t *schema.Table, legacy bool) (p pagingState, ok bool) {
	if legacy {
		if p, ok = readLegacyState(b, t); ok {
			return p, true
		}
		return readModernState(b, t)
	}
	if p, ok = readModernState(b, t); ok {
		return p, true
	}
	return readLegacyState(b, t)
}

func readModernState(b []byte, t *schema.Table) (p pagingState, ok bool) {
	number := func() (int, bool) {
		n, w := types.ReadUnsignedVInt(b)
		if w <= 0 || n > math.MaxInt32 {
			return 0, false
		}
		b = b[w:]
		return int(n), true
	}
	var mark []byte
	for _, to := range []*[]byte{&p.key, &mark} {
		n, fine := number()
		if !fine || n > len(b) {
			return p, false
		}
		*to, b = b[:n:n], b[n:]
	}
	for _, to := range []*int{&p.left, &p.inPart} {
		if *to, ok = number(); !ok {
			return p, false
		}
	}
	if len(b) > 0 {
		return p, false
	}
	if len(mark) == 0 {
		return p, true
	}
	header, ended := uint64(0), false
	for i := range t.Clustering {
		if i%32 == 0 {
			h, w := types.ReadUnsignedVInt(mark)
			if w <= 0 {
				return p, false
			}
			header, mark = h, mark[w:]
		}
		if header>>(i%32*2)&2 != 0 { // null, as the last ones of the classic model may be
			ended = true
			continue
		}
		if ended {
			return p, false
		}
		if header>>(i%32*2)&1 != 0 {
			p.row = schema.AppendComponent(p.row, nil)
			continue
		}
		n, w := types.ReadUnsignedVInt(mark)
		if w <= 0 || n > uint64(len(mark)-w) {
			return p, false
		}
		p.row, mark = schema.AppendComponent(p.row, mark[w:w+int(n)]), mark[w+int(n):]
	}
	return p, len(mark) == 0
}

func readLegacyState(b []byte, t *schema.Table) (p pagingState, ok bool) {
	var mark []byte
	for _, to := range []*[]byte{&p.key, &mark} {
		if len(b) < 2 {
			return p, false
		}
		n := int(binary.BigEndian.Uint16(b))
		if b = b[2:]; n > len(b) {
			return p, false
		}
		*to, b = b[:n:n], b[n:]
	}
	if len(b) != 8 {
		return p, false
	}
	left, inPart := binary.BigEndian.Uint32(b), binary.BigEndian.Uint32(b[4:])
	if left > math.MaxInt32 || inPart > math.MaxInt32 {
		return p, false
	}
	p.left, p.inPart = int(left), int(inPart)
	for i := 0; i < len(t.Clustering) && len(mark) > 0; i++ {
		if len(mark) < 3 || int(binary.BigEndian.Uint16(mark)) > len(mark)-3 {
			return p, false
		}
		n := int(binary.BigEndian.Uint16(mark))
		p.row, mark = schema.AppendComponent(p.row, mark[2:2+n]), mark[3+n:]
	}
	return p, true
}
