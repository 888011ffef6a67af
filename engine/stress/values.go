package stress

import (
	"encoding/binary"
	"math"
	"slices"

	"ringlab/model/schema"
	"ringlab/model/types"
	"ringlab/ring"
)

// generator makes the values of one column.
// Source: Cassandra 5.0 Generator and the classes in generate.values.
type generator struct {
	column   *schema.Column
	kind     types.Kind
	salt     int64
	identity Distribution
	size     Distribution
	cluster  Distribution
	elem     *generator // of sets and lists
	bits     xorshift
	elems    [][]byte
	readable bool // texts are of letters and digits
}

// seedText is what the name of a column is joined to for its salt.
// Source: Cassandra 5.0 StressProfile.seedStr.
const seedText = "seed for stress"

// Defaults of cassandra-stress. Source: Cassandra 5.0 Generator, Dates.
var (
	anyIdentity = Spec{Kind: Uniform, Min: 1, Max: 100_000_000_000}
	anySize     = Spec{Kind: Uniform, Min: 4, Max: 8}
	anyCluster  = Spec{Min: 1, Max: 1}
	anyMoment   = Spec{Kind: Uniform, Min: 1, Max: 50 * 365 * 24 * 60 * 60 * 1000}
)

// Generates says whether cassandra-stress makes values of a type.
// Source: Cassandra 5.0 StressProfile.ColumnInfo.getGenerator.
func Generates(t *types.Type) bool {
	switch t.Kind {
	case types.KindAscii, types.KindText, types.KindBigInt, types.KindCounter, types.KindBlob, types.KindBoolean, types.KindDecimal, types.KindDouble,
		types.KindFloat, types.KindInet, types.KindInt, types.KindVarint, types.KindTimestamp, types.KindUUID, types.KindTimeUUID, types.KindTinyInt,
		types.KindSmallInt, types.KindTime, types.KindDate:
		return true
	case types.KindSet, types.KindList:
		return t.Elems[0].Kind != types.KindSet && t.Elems[0].Kind != types.KindList && Generates(t.Elems[0])
	}
	return false
}

func newGenerator(c *schema.Column, t *types.Type, spec ColumnSpec, readable bool) *generator {
	g := &generator{column: c, kind: t.Kind, readable: readable}
	g.salt, _ = ring.Murmur3Hash([]byte(seedText + c.Name))
	pick := func(s *Spec, usual Spec) Distribution {
		if s == nil {
			s = &usual
		}
		return s.New()
	}
	identity := anyIdentity
	if t.Kind == types.KindTimestamp || t.Kind == types.KindTimeUUID {
		identity = anyMoment
	}
	g.identity, g.size, g.cluster = pick(spec.Population, identity), pick(spec.Size, anySize), pick(spec.Cluster, anyCluster)
	if t.Kind == types.KindSet || t.Kind == types.KindList {
		g.elem = newGenerator(c, t.Elems[0], spec, readable)
	}
	return g
}

// bytes is about how many bytes a value has.
func (g *generator) bytes() float64 {
	switch {
	case g.elem != nil:
		return float64(average(g.size)) * (4 + g.elem.bytes())
	case g.kind == types.KindText || g.kind == types.KindAscii || g.kind == types.KindBlob:
		return float64(average(g.size))
	}
	return 16
}

// seed starts the values anew that follow from a seed. The sizes of collections
// and the counts of timeuuids, which cassandra-stress draws without a seed,
// follow from it too.
func (g *generator) seed(seed int64) {
	g.identity.Seed(seed ^ g.salt)
	g.cluster.Seed(seed ^ ^g.salt)
	if g.elem != nil {
		g.size.Seed(seed ^ g.salt)
		g.elem.seed(seed * 31)
	}
}

// item is a value and what it adds to the seed of what lies below it.
type item struct {
	bytes  []byte
	number int64 // of types that Java has as numbers
}

// next makes a value, in memory of the arena.
func (g *generator) next(a *arena) item {
	switch g.kind {
	case types.KindAscii, types.KindText, types.KindBlob:
		return item{bytes: g.text(a)}
	case types.KindSet, types.KindList:
		return item{bytes: g.collection(a)}
	case types.KindDouble:
		v := g.identity.NextDouble()
		return item{binary.BigEndian.AppendUint64(a.take(8), math.Float64bits(v)), whole(v)}
	case types.KindFloat:
		v := float32(g.identity.NextDouble())
		return item{binary.BigEndian.AppendUint32(a.take(4), math.Float32bits(v)), whole(float64(v))}
	}
	n := g.identity.Next()
	switch g.kind {
	case types.KindBigInt, types.KindCounter, types.KindTimestamp, types.KindTime:
		return item{binary.BigEndian.AppendUint64(a.take(8), uint64(n)), n}
	case types.KindInt, types.KindInet:
		return item{binary.BigEndian.AppendUint32(a.take(4), uint32(n)), int64(int32(n))}
	case types.KindDate: // days around 2^31
		return item{binary.BigEndian.AppendUint32(a.take(4), uint32(n)^1<<31), int64(int32(n))}
	case types.KindSmallInt:
		return item{binary.BigEndian.AppendUint16(a.take(2), uint16(n)), int64(int16(n))}
	case types.KindTinyInt:
		return item{append(a.take(1), byte(n)), int64(int8(n))}
	case types.KindBoolean: // every number is divisible by 1
		return item{bytes: append(a.take(1), 1)}
	case types.KindVarint:
		return item{appendVarint(a.take(9), n), n}
	case types.KindDecimal: // of scale 0
		return item{appendVarint(append(a.take(13), 0, 0, 0, 0), n), n}
	case types.KindUUID:
		b := binary.BigEndian.AppendUint64(a.take(16), uint64(n))
		return item{bytes: binary.BigEndian.AppendUint64(b, uint64(n))}
	}
	// A timeuuid: the moment, and the salt as clock sequence and node.
	ticks := types.TicksOfMillis(n)
	high := ticks<<32 | ticks>>16&0xffff0000 | 0x1000 | ticks>>48&0x0fff
	b := binary.BigEndian.AppendUint64(a.take(16), high)
	return item{bytes: binary.BigEndian.AppendUint64(b, uint64(g.salt))}
}

// letters are those of readable texts.
const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"

// text makes text of 7-bit characters, control characters among them, or bytes.
// Source: Cassandra 5.0 Strings.generate, Bytes.generate.
func (g *generator) text(a *arena) []byte {
	seed := g.identity.Next()
	g.size.Seed(seed)
	g.bits.seed(^seed)
	size := max(int(g.size.Next()), 0)
	b := a.take(size)
	blob := g.kind == types.KindBlob
	for len(b) < size {
		v := g.bits.long()
		for n := min(size-len(b), 8); n > 0; n-- {
			c := byte(v)
			switch {
			case blob:
			case g.readable:
				c = letters[c&63]
			default:
				c = (c&127 + 32) & 127
			}
			b = append(b, c)
			v >>= 8
		}
	}
	return b
}

// collection makes a set, in the order of its elements, or a list.
// Source: Cassandra 5.0 Sets.generate, Lists.generate.
func (g *generator) collection(a *arena) []byte {
	g.elems = g.elems[:0]
	for range max(g.size.Next(), 0) {
		g.elems = append(g.elems, g.elem.next(a).bytes)
	}
	elems := g.elems
	if g.kind == types.KindSet {
		elems = g.column.Type.SortUnique(slices.Clone(elems))
	}
	return types.EncodeCollection(elems)
}

// appendVarint adds a number in the fewest bytes of two's complement.
func appendVarint(b []byte, n int64) []byte {
	size := 1
	for size < 8 && n>>(8*size-1) != n>>63 {
		size++
	}
	for i := size - 1; i >= 0; i-- {
		b = append(b, byte(n>>(8*i)))
	}
	return b
}

// below is the seed of what lies below a value.
// Source: Cassandra 5.0 PartitionIterator.seed.
func (g *generator) below(v item, seed int64) int64 {
	switch g.kind {
	case types.KindBigInt, types.KindCounter, types.KindTime, types.KindInt, types.KindDate, types.KindSmallInt, types.KindTinyInt, types.KindVarint,
		types.KindDecimal, types.KindDouble, types.KindFloat:
		return seed*31 + v.number
	case types.KindUUID, types.KindTimeUUID:
		return seed*31 + int64(binary.BigEndian.Uint64(v.bytes)^binary.BigEndian.Uint64(v.bytes[8:]))
	}
	for _, c := range v.bytes {
		seed = 31*seed + int64(int8(c))
	}
	return seed
}

// arena is memory for the values of one operation.
type arena struct{ free []byte }

// take is empty memory with room for n bytes.
func (a *arena) take(n int) []byte {
	if cap(a.free)-len(a.free) < n {
		a.free = make([]byte, 0, max(4096, 2*cap(a.free), n))
	}
	from := len(a.free)
	a.free = a.free[:from+n]
	return a.free[from : from : from+n]
}

// reset makes all memory free again; what was taken must not be used any more.
func (a *arena) reset() {
	if cap(a.free) > 1<<20 {
		a.free = nil
	}
	a.free = a.free[:0]
}
