package cluster

import (
	"fmt"
	"strings"

	"ringlab/engine/storage"
	"ringlab/model/plan"
	"ringlab/model/schema"
	"ringlab/model/types"
)

// ticks are a ballot's time as a timeuuid has it, in 100 ns since 1582; the last
// digit says at which serial level it was made.
// Source: Cassandra 5.0 BallotGenerator, Ballot.Flag.
func (b ballot) ticks() uint64 {
	flag := uint64(2)
	if b.serial == plan.LocalSerial {
		flag = 1
	}
	return types.TicksOfMillis(0) + uint64(b.at)*10 + flag
}

// ballotText is a ballot as traces show it: a timeuuid of its time.
func (c *Cluster) ballotText(b ballot) string {
	return types.UUID.Text(types.NewTimeUUID(b.ticks(), uint64(b.node)|0x80<<56))
}

// proposalText is a proposal as traces show it: Accepted or Committed.
// Source: Cassandra 5.0 Commit.toString, EncodingStats.NO_STATS.
func (c *Cluster) proposalText(kind string, t *schema.Table, key string, p *proposal) string {
	part, at := p.part, int64(1442880000000000)
	if part == nil {
		part = &storage.Partition{Key: key, Del: storage.Live}
	} else {
		at = p.ballot.at
	}
	return fmt.Sprintf("%s(%d:%s, %d:%s)", kind, p.ballot.ticks(), c.ballotText(p.ballot), at, partitionText(t, part, nil, false))
}

// partitionText is a partition as Cassandra writes it for people who debug;
// columns are those that were read, nil for all.
// Source: Cassandra 5.0 AbstractBTreePartition.toString.
func partitionText(t *schema.Table, p *storage.Partition, columns map[uint16]bool, full bool) string {
	var b strings.Builder
	parts := t.SplitPartitionKey([]byte(p.Key))
	for i := range parts {
		parts[i] = []byte(t.Key[i].Type.Raw(parts[i]))
	}
	key := string(joinBytes(parts))
	if full {
		local := p.Del.Local
		fmt.Fprintf(&b, "[%s.%s] key=%s partition_deletion=deletedAt=%d, localDeletion=%d columns=[%s | %s]", t.Keyspace, t.Name, key, p.Del.At, local,
			namesText(t.Static, columns), namesText(t.Regular, columns))
	} else {
		b.WriteString("key=" + key)
	}
	if !p.Static.IsZero() {
		b.WriteString("\n    " + rowText(t, p.Static, full))
	}
	for _, r := range p.Rows {
		b.WriteString("\n    " + rowText(t, r, full))
	}
	return b.String()
}

func joinBytes(parts [][]byte) []byte {
	var out []byte
	for i, p := range parts {
		if i > 0 {
			out = append(out, ':')
		}
		out = append(out, p...)
	}
	return out
}

func namesText(list []*schema.Column, want map[uint16]bool) string {
	var names []string
	for _, c := range list {
		if want == nil || want[c.ID] {
			names = append(names, c.Name)
		}
	}
	return "[" + strings.Join(names, " ") + "]"
}

// rowText is a row of such a partition.
// Source: Cassandra 5.0 AbstractRow.toString, LivenessInfo.toString.
func rowText(t *schema.Table, r storage.Row, full bool) string {
	var v storage.View
	r.Unpack(&v)
	text := "Row"
	if full {
		live := fmt.Sprintf("[ts=%d]", v.Liveness.Timestamp)
		if v.Liveness.TTL > 0 {
			live = fmt.Sprintf("[ts=%d ttl=%d, let=%d]", v.Liveness.Timestamp, v.Liveness.TTL, v.Liveness.Expiry)
		}
		if text += "[info=" + live; !v.Deletion.IsLive() {
			text += fmt.Sprintf(" del=deletedAt=%d, localDeletion=%d", v.Deletion.At, v.Deletion.Local)
		}
		text += " ]"
	}
	clustering := "EMPTY"
	if v.Static {
		clustering = "STATIC"
	} else if values := schema.Components(v.Clustering); len(values) > 0 {
		names := make([]string, len(values))
		for i, value := range values {
			names[i] = t.Clustering[i].Name + "=" + t.Clustering[i].Type.Raw(value)
		}
		clustering = strings.Join(names, ", ")
	}
	return text + ": " + clustering + " | " + strings.Join(cellTexts(t, v.Cells, full), ", ")
}

// cellTexts are the cells of a row; in short those of one collection stand together.
// Source: Cassandra 5.0 AbstractCell.toString, AbstractRow.toString.
func cellTexts(t *schema.Table, cells []storage.Cell, full bool) []string {
	var out []string
	var parts []string // of a collection
	for i := range cells {
		c := &cells[i]
		col := t.ColumnByID(c.Column)
		if col == nil || c.Complex {
			continue
		}
		value, path := col.Type, ""
		if col.IsSplit() {
			elems := col.Type.Elems
			value = elems[len(elems)-1]
			switch names := elems[0]; {
			case col.Type.Kind == types.KindList:
				path = types.TimeUUID.Raw(c.Path)
			default:
				if path = names.Raw(c.Path); col.Type.Kind == types.KindSet {
					value = types.Blob
				}
			}
		}
		text := "<tombstone>"
		if !c.IsTombstone() {
			text = value.Raw(c.Value)
		}
		switch {
		case full:
			times := fmt.Sprintf("ts=%d", c.Timestamp)
			if c.TTL > 0 {
				times += fmt.Sprintf(" ttl=%d", c.TTL)
			}
			if c.Local != storage.NoDeletionTime {
				times += fmt.Sprintf(" ldt=%d", c.Local)
			}
			if path != "" {
				path = "[" + path + "]"
			}
			out = append(out, fmt.Sprintf("[%s%s=%s %s]", col.Name, path, text, times))
		case col.IsSplit():
			parts = append(parts, path+"->"+text)
			if i+1 == len(cells) || cells[i+1].Column != c.Column {
				out = append(out, col.Name+"={"+strings.Join(parts, ", ")+"}")
				parts = nil
			}
		default:
			out = append(out, col.Name+"="+text)
		}
	}
	return out
}
