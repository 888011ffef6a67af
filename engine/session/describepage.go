package session

import (
	"bytes"
	"encoding/binary"

	"ringlab/model/plan"
)

// describeKey begins the state of a page of a DESCRIBE: the version of the
// layout, and the release. Source: Cassandra 5.0 DescribeStatement.getPagingState.
var describeKey = append([]byte{0, 1, 0, byte(len(ReleaseVersion))}, ReleaseVersion...)

// describeRest ends it: no row, and as many rows and rows in a partition as an
// int can say are left. Source: Cassandra 5.0 PagingState.modernSerialize.
var describeRest = []byte{0, 0xf0, 0x7f, 0xff, 0xff, 0xff, 0xf0, 0x7f, 0xff, 0xff, 0xff}

// pageDescribe leaves of the rows of a DESCRIBE those of the page that is asked
// for. The offset of the next one holds for one version of the schema.
func (c *Core) pageDescribe(f *flight, coord int) {
	if f.page.Size <= 0 {
		return
	}
	schema := c.SchemaVersion(coord)
	offset := 0
	if f.page.State != nil {
		var err error
		if offset, err = describeOffset(f.page.State, schema[:]); err != nil {
			f.ans.Error = refusal(err)
			f.ans.Spec, f.ans.Values = nil, nil
			return
		}
	}
	rows := f.ans.Values[min(offset, len(f.ans.Values)):]
	if len(rows) >= f.page.Size { // the last page may be empty
		rows = rows[:f.page.Size]
		f.ans.More, f.ans.State = true, describeState(schema[:], offset+len(rows))
	}
	f.ans.Values = rows
}

func describeState(schema []byte, offset int) []byte {
	b := append([]byte{byte(len(describeKey) + len(schema) + 8)}, describeKey...)
	b = binary.BigEndian.AppendUint64(append(b, schema...), uint64(offset))
	return append(b, describeRest...)
}

// describeOffset is how many rows come before the page.
// Source: Cassandra 5.0 DescribeStatement.getOffset.
func describeOffset(state, schema []byte) (int, error) {
	want := describeState(schema, 0)
	at := 1 + len(describeKey)
	switch {
	case len(state) != len(want) || !bytes.Equal(state[:at], want[:at]) || !bytes.HasSuffix(state, describeRest):
		return 0, errState
	case !bytes.Equal(state[at:at+len(schema)], schema):
		return 0, plan.Invalid("The schema has changed since the previous page of the DESCRIBE statement result. Please retry the DESCRIBE statement.")
	}
	return int(min(binary.BigEndian.Uint64(state[at+len(schema):]), 1<<31)), nil
}
