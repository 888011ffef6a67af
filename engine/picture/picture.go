// Package picture folds a lab into what people look at: an engine/view.View
// with just the parts that the visible panes need. It changes nothing and is
// called by the owner of the lab.
package picture

import (
	"fmt"
	"strings"

	"ringlab/engine/cluster"
	"ringlab/engine/session"
	"ringlab/engine/sim"
	"ringlab/engine/storage"
	"ringlab/engine/view"
	"ringlab/model/schema"
	"ringlab/ring"
)

// Painter makes views of one lab. It keeps what is costly to make between them.
type Painter struct {
	Keep bool // the list of partitions may be that of an earlier picture

	core   *session.Core
	rev    uint64
	parts  partitionList
	grow   grower
	sheets sheeter
	rows   nestedRows

	sharesOf   *ring.Placement // of the shares below, nil for the bare ring
	sharesRing *ring.TokenMap
	shares     []float64

	ring      *ring.TokenMap // of the entries below
	most      int
	entries   []view.Entry
	schema    *schema.Schema
	keyspaces []view.Keyspace
	counted   counted // what the tables' counts were made of

	strip strip
	heats map[heatKey][]byte // of the map of files, as it was shown last
}

// counted tells whether a table's counts may have changed.
type counted struct {
	applied, listed int64         // writes to all nodes, and those that are in the list
	table           *schema.Table // whose partitions are listed
}

// New is a painter for a lab.
func New(core *session.Core) *Painter { return &Painter{core: core} }

// View makes the next view.
func (p *Painter) View(need view.Need) *view.View {
	c := p.core.Cluster
	p.rev++
	k := p.core.Current
	v := &view.View{Rev: p.rev, Now: int64(c.Now()), Epoch: c.Epoch(), Seed: p.core.Spec.Seed, EventSeq: c.Events(),
		Keyspace: k.Keyspace, CL: k.CL.String(), SerialCL: k.Serial.String(), Client: k.Name, User: p.core.Acting(), Language: "cql",
		Partitioner: c.Partitioner().Name(), DCs: p.core.DataCenters(), Entries: c.Ring.Len()}
	members := p.members()
	if need.Node >= 0 && need.Node < len(members) {
		need.Node = members[need.Node]
	} else {
		need.Node = -1
	}
	t := c.Schema.Table(need.Keyspace, need.Table)
	if t == nil {
		t = firstTable(c.Schema, k.Keyspace)
	}
	if t != nil && p.parts.refresh(c, t, need.Sort, need.Reverse, p.Keep) {
		p.grow.watch(t, p.parts.list)
	}
	p.schemaPart(v)
	p.ringPart(v, need)
	p.nodes(v, t)
	if t != nil {
		v.Partitions, v.Histogram = p.parts.shown(need.Partitions, need.Filter), p.parts.histogram
		if need.Sheet != "" {
			v.Sheet = p.sheet(t, need.Sheet, need.Key)
		}
		v.Growth = p.growth(t, need.Key)
		v.Crossed, v.Crossings = p.grow.lines, p.grow.count
		v.Storage = p.storage(t, need)
		if need.Map {
			v.Nested = p.nested(t, need)
		}
		if need.Key != "" {
			v.Selection = p.selection(t, need.Key)
			if key, err := p.key(t, need.Key); err == nil && need.Placement.On {
				v.Placement = p.placementPart(t, key, need.Placement)
			}
			if v.Storage != nil && v.Selection.Err == "" {
				p.readPath(v.Storage, t, need.Key)
			}
		}
	}
	v.Strip = p.stripPart(t, need.Strip)
	if t != nil {
		v.Files = p.filesPart(v, t, need)
	}
	if p.core.Recorder != nil {
		p.operations(v, need)
		if need.Levels && t != nil {
			v.Levels = p.levelsPart(v, t.Keyspace)
		}
		if need.Events {
			p.events(v, need)
		}
	}
	p.onlyMembers(v, members)
	return v
}

// firstTable is a table to look at when nobody chose one.
func firstTable(s *schema.Schema, keyspace string) *schema.Table {
	names := s.Names()
	if keyspace != "" {
		names = append([]string{keyspace}, names...)
	}
	for _, n := range names {
		if k := s.Keyspace(n); k != nil {
			for _, t := range k.TableNames() {
				return k.Tables[t]
			}
		}
	}
	return nil
}

// position is where a token stands on the ring, clockwise from the minimum.
func position(p ring.Partitioner, t ring.Token) float64 {
	if t == p.Minimum() {
		return 0
	}
	f, err := p.Size(p.Minimum(), t)
	if err != nil { // ordered partitioners: by the first bytes
		text := []byte(p.Format(t))
		f, scale := 0.0, 1.0
		for i := 0; i < len(text) && i < 6; i++ {
			scale /= 16
			f += scale * float64(hexDigit(text[i]))
		}
		return f
	}
	return f
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return int(c) % 16
}

// ringPart lists the ring's tokens, thinned to what can be drawn.
func (p *Painter) ringPart(v *view.View, need view.Need) {
	tm := p.core.Cluster.Ring
	most := need.MaxTokens
	if most <= 0 {
		most = 4096
	}
	if p.ring != tm || p.most != most {
		p.ring, p.most = tm, most
		step := (tm.Len() + most - 1) / most
		p.entries = make([]view.Entry, 0, min(tm.Len(), most))
		for e := 0; e < tm.Len(); e += max(step, 1) {
			p.entries = append(p.entries, view.Entry{Token: tm.Partitioner().Format(tm.Token(e)), Pos: position(tm.Partitioner(), tm.Token(e)), Node: tm.Node(e)})
		}
	}
	v.Ring = p.entries
}

// nodes describes every node; t may be nil.
func (p *Painter) nodes(v *view.View, t *schema.Table) {
	c := p.core.Cluster
	keyspace := v.Keyspace
	if t != nil {
		keyspace = t.Keyspace
	}
	share := p.owns(keyspace)
	v.Nodes = make([]view.Node, len(c.Nodes))
	for i, n := range c.Nodes {
		w := view.Node{Name: n.Name, Address: n.Address, DC: n.DC, Rack: n.Rack, Up: !n.Down && !n.Quiet, Paused: n.Pause > c.Now(), State: "U" + n.State.Letter(),
			Tokens: len(n.Tokens), LoadBytes: n.DiskBytes()}
		switch {
		case n.Down:
			w.State = "D" + n.State.Letter()
			w.Detail = "down for " + roundTime(c.Now()-n.DownAt)
		case n.Quiet:
			w.State = "D" + n.State.Letter()
			w.Detail = "gossip stopped: " + troubles(n)
		case troubles(n) != "":
			w.Detail = troubles(n)
		case n.State != cluster.Normal:
			w.Detail = strings.ToLower(n.State.String())
		}
		if len(n.Tokens) > 0 {
			w.Token = c.Partitioner().Format(n.Tokens[0])
		}
		if share != nil {
			w.Owns = share[i]
		}
		if t != nil {
			if s := n.Stores[t.ID]; s != nil {
				w.Partitions, w.Rows = sizeOf(s)
			}
		}
		for target, q := range n.Hints {
			w.HintsHeld += int64(len(q.Hints))
			v.Nodes[target].Hints += int64(len(q.Hints))
		}
		held := v.Nodes[i].Hints // counted by nodes before this one
		switch {
		case w.Detail != "":
		case w.Paused:
			w.Detail = "paused for " + roundTime(n.Pause-c.Now())
		case n.Skew > 0:
			w.Detail = "clock +" + roundTime(sim.Time(n.Skew))
		case n.Skew < 0:
			w.Detail = "clock -" + roundTime(sim.Time(-n.Skew))
		case n.Slow > 1:
			w.Detail = fmt.Sprintf("%dx slow", n.Slow)
		case w.HintsHeld > 0:
			w.Detail = fmt.Sprintf("%d %s → %s", w.HintsHeld, pluralVerb(int(w.HintsHeld), "hint", "hints"), p.targets(n))
		}
		v.Nodes[i], v.Nodes[i].Hints = w, held
	}
}

// diskTrouble says which of a node's disks is not right, "" if both are.
func diskTrouble(n *cluster.Node) string {
	switch {
	case n.Data != cluster.DiskOK:
		return "disk " + n.Data.String()
	case n.CommitLog != cluster.DiskOK:
		return "commit log disk " + n.CommitLog.String()
	}
	return ""
}

// rotText says what is wrong with a file, "" for nothing.
func rotText(f *storage.SSTable) string {
	switch {
	case f.Suspect:
		return "suspect"
	case f.IsCorrupt():
		return "corrupt"
	}
	return ""
}

// troubles says what is wrong with a node's disks, "" for nothing.
func troubles(n *cluster.Node) string {
	switch bad := diskTrouble(n); {
	case bad != "":
		return bad
	case n.Quiet:
		return "a disk failure"
	}
	corrupt := 0
	for _, s := range n.Stores {
		for _, f := range s.SSTables {
			if f.IsCorrupt() {
				corrupt++
			}
		}
	}
	if corrupt == 0 {
		return ""
	}
	return fmt.Sprintf("%d corrupt", corrupt)
}

// owns gives every node its share of the ring, the effective one of a keyspace
// where there is one; nil if the partitioner has none. On a large ring it is
// costly, so it is made once for each placement.
func (p *Painter) owns(keyspace string) []float64 {
	c := p.core.Cluster
	var placement *ring.Placement
	if keyspace != "" && c.Schema.Keyspace(keyspace) != nil {
		placement = c.Placement(keyspace)
	}
	if p.sharesOf == placement && p.sharesRing == c.Ring {
		return p.shares
	}
	p.sharesOf, p.sharesRing = placement, c.Ring
	if placement != nil {
		p.shares, _ = placement.EffectiveOwns()
	} else {
		p.shares, _ = c.Ring.Owns()
	}
	return p.shares
}

// targets names the nodes that hints are kept for.
func (p *Painter) targets(n *cluster.Node) string {
	var out []string
	for target := range p.core.Cluster.Nodes {
		if q := n.Hints[target]; q != nil && len(q.Hints) > 0 {
			out = append(out, p.core.Cluster.Nodes[target].Name)
		}
	}
	return strings.Join(out, " ")
}

// sizeOf estimates partitions and rows of a store, as nodetool does: what is in
// several files counts in each.
func sizeOf(s *storage.TableStore) (partitions, rows int64) {
	partitions, rows = int64(s.Mem.Partitions()), s.Mem.Rows
	for _, f := range s.SSTables {
		partitions += int64(len(f.Parts))
		rows += f.Rows
	}
	return partitions, rows
}

func roundTime(t sim.Time) string {
	switch {
	case t >= 10*sim.Second:
		t = t / sim.Second * sim.Second
	case t >= sim.Second:
		t = t / (100 * sim.Millisecond) * (100 * sim.Millisecond)
	case t >= sim.Millisecond:
		t = t / sim.Millisecond * sim.Millisecond
	}
	switch {
	case t >= 48*sim.Hour:
		return fmt.Sprintf("%d d", t/sim.Day)
	case t >= 2*sim.Hour:
		return fmt.Sprintf("%d h", t/sim.Hour)
	case t >= 2*sim.Minute:
		return fmt.Sprintf("%d min", t/sim.Minute)
	}
	return t.String()
}

// schemaPart lists keyspaces and tables.
func (p *Painter) schemaPart(v *view.View) {
	c := p.core.Cluster
	applied := int64(0)
	for _, n := range c.Nodes {
		for _, s := range n.Stores {
			applied += s.Writes + int64(s.Flushes) + int64(len(s.SSTables))
		}
	}
	now := counted{applied, p.parts.at, p.parts.table}
	if p.schema == c.Schema && p.counted == now && p.keyspaces != nil {
		v.Keyspaces = p.keyspaces
		return
	}
	p.schema, p.counted = c.Schema, now
	p.keyspaces = []view.Keyspace{}
	for _, name := range c.Schema.Names() {
		k := c.Schema.Keyspace(name)
		w := view.Keyspace{Name: name, Replication: replication(k)}
		for _, tn := range k.TableNames() {
			w.Tables = append(w.Tables, p.table(k.Tables[tn]))
		}
		p.keyspaces = append(p.keyspaces, w)
	}
	v.Keyspaces = p.keyspaces
}

// replication is a keyspace's replication in a few words.
func replication(k *schema.Keyspace) string {
	var out []string
	for _, o := range k.Replication {
		if o.Key == "class" {
			continue
		}
		if o.Key == "replication_factor" {
			out = append(out, o.Value)
		} else {
			out = append(out, o.Key+":"+o.Value)
		}
	}
	class := "NTS"
	if k.Class() == ring.ClassSimple {
		class = "Simple"
	}
	return class + " " + strings.Join(out, " ")
}

// table describes one table; its counts are those of one copy: the sums of the
// partitions where all of them are listed, else estimated from all copies.
func (p *Painter) table(t *schema.Table) view.Table {
	c := p.core.Cluster
	w := view.Table{Name: t.Name, Language: "CQL", Compaction: strategyName(t), Key: keyLine(t), Create: schema.CreateTableText(t)}
	if t.Family != nil {
		w.Language = "thrift"
	}
	for _, col := range t.Columns() {
		w.Columns = append(w.Columns, view.Column{Name: col.Name, Type: col.Type.String(), Kind: strings.TrimSuffix(col.Kind.String(), "_key")})
	}
	for _, i := range t.Indexes {
		w.Indexes = append(w.Indexes, i.Name)
		w.Create += "\n\n" + schema.CreateIndexText(t, i)
	}
	if p.parts.sum(c, t, &w) {
		return w
	}
	for _, n := range c.Nodes {
		if s := n.Stores[t.ID]; s != nil {
			parts, rows := sizeOf(s)
			w.Partitions += parts
			w.Rows += rows
			w.Bytes += s.Mem.Data
			for _, f := range s.SSTables {
				w.Bytes += f.DataBytes
			}
		}
	}
	if rf := int64(min(c.Strategy(t.Keyspace).RF(), len(c.Members()))); rf > 1 {
		w.Partitions = (w.Partitions + rf - 1) / rf
		w.Rows = (w.Rows + rf - 1) / rf
		w.Bytes /= rf
	}
	return w
}

func strategyName(t *schema.Table) string {
	switch t.Options.CompactionClass() {
	case schema.Leveled:
		return "LCS"
	case schema.TimeWindow:
		return "TWCS"
	case schema.Unified:
		return "UCS"
	}
	return "STCS"
}

// keyLine is the primary key with the clustering's directions.
func keyLine(t *schema.Table) string {
	var key, rest []string
	for _, c := range t.Key {
		key = append(key, c.Name)
	}
	for _, c := range t.Clustering {
		arrow := " ↑"
		if c.Desc {
			arrow = " ↓"
		}
		rest = append(rest, c.Name+arrow)
	}
	s := strings.Join(key, ", ")
	if len(key) > 1 {
		s = "(" + s + ")"
	}
	if len(rest) > 0 {
		s += ", " + strings.Join(rest, ", ")
	}
	return "PK (" + s + ")"
}
