package sketch_test

import (
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/cockroachdb/datadriven"

	"ringlab/engine/sketch"
)

// TestAsCassandra compares with what Cassandra's own classes say.
func TestAsCassandra(t *testing.T) {
	datadriven.RunTest(t, "testdata/keys.txt", func(t *testing.T, d *datadriven.TestData) string {
		width := 0
		d.MaybeScanArgs(t, "digits", &width)
		var all *sketch.Keys
		for _, arg := range d.CmdArgs {
			var from, n, step int
			if _, err := fmt.Sscanf(arg.Key, "%d,%d,%d", &from, &n, &step); err != nil {
				continue
			}
			k := &sketch.Keys{}
			for i := range n {
				number := from + i*step
				key := string(binary.BigEndian.AppendUint32(nil, uint32(number)))
				if width > 0 {
					key = fmt.Sprintf("%0*d", width, number)
				}
				k.Add(sketch.Hash(key))
			}
			if all == nil {
				all = k
			} else {
				all.Join(k)
			}
		}
		return fmt.Sprintf("%d bytes, %d keys\n", all.Bytes(), all.Count())
	})
}
