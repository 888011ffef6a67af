package function

import (
	"math"
	"math/big"

	"ringlab/model/types"
)

// Aggregate folds the values of a group. Add ignores null except for count of
// rows; Result may be read once all are added, and Reset starts a new group.
type Aggregate interface {
	Add(value []byte)
	Result() []byte
	Reset()
}

// addAggregates declares count of rows and of values, sum and avg; min and max
// come from Make. Source: Cassandra 5.0 AggregateFcts.
func addAggregates(add func(*Function, ...string)) {
	add(&Function{Name: "count_rows", Out: types.BigInt, Aggregate: true}, "countRows")
	add(&Function{Name: "count", Args: []*types.Type{types.Blob}, Out: types.BigInt, Aggregate: true})
	for _, t := range numericTypes {
		add(&Function{Name: "sum", Args: []*types.Type{t}, Out: t, Aggregate: true})
		add(&Function{Name: "avg", Args: []*types.Type{t}, Out: t, Aggregate: true})
	}
}

// NewAggregate starts an aggregate of the function name over values of a type.
// count with rows counts nulls too.
func NewAggregate(name string, in *types.Type, rows bool) Aggregate {
	switch name {
	case "count", "count_rows", "countRows":
		return &count{rows: rows}
	case "min":
		return &extreme{t: in, sign: 1}
	case "max":
		return &extreme{t: in, sign: -1}
	}
	avg := name == "avg"
	switch in.Kind {
	case types.KindFloat, types.KindDouble:
		return &floatSum{t: in, avg: avg}
	case types.KindVarint:
		return &bigSum{avg: avg, sum: new(big.Int)}
	case types.KindDecimal:
		return &decimalSum{avg: avg, u: new(big.Int)}
	}
	return &intSum{t: in, avg: avg, sum: new(big.Int)}
}

type count struct {
	n    int64
	rows bool
}

func (a *count) Add(v []byte) {
	if v != nil || a.rows {
		a.n++
	}
}
func (a *count) Result() []byte { return types.EncodeInt64(a.n) }
func (a *count) Reset()         { a.n = 0 }

// extreme is min or max: the first of equal values stays.
type extreme struct {
	t    *types.Type
	sign int
	best []byte
}

func (a *extreme) Add(v []byte) {
	if v != nil && (a.best == nil || a.sign*a.t.Compare(v, a.best) < 0) {
		a.best = v
	}
}
func (a *extreme) Result() []byte { return a.best }
func (a *extreme) Reset()         { a.best = nil }

// intSum sums integers that wrap in their own width; an average is cut towards
// zero and never overflows.
type intSum struct {
	t     *types.Type
	avg   bool
	n     int64
	small int64
	sum   *big.Int // only for an average past 64 bits
	over  bool
}

func (a *intSum) Add(v []byte) {
	x, ok := numberOf(a.t, v)
	if !ok {
		return
	}
	a.n++
	next := a.small + x.i
	if a.avg && (a.over || (a.small^next)&(x.i^next) < 0) {
		if !a.over {
			a.over = true
			a.sum.SetInt64(a.small)
		}
		a.sum.Add(a.sum, big.NewInt(x.i))
		return
	}
	a.small = next
}

func (a *intSum) Result() []byte {
	switch {
	case !a.avg:
		return encodeInt(a.t, a.small)
	case a.n == 0:
		return encodeInt(a.t, 0)
	case a.over:
		return encodeInt(a.t, new(big.Int).Quo(a.sum, big.NewInt(a.n)).Int64())
	}
	return encodeInt(a.t, a.small/a.n)
}

func (a *intSum) Reset() { a.n, a.small, a.over = 0, 0, false }

// floatSum is a compensated sum of doubles.
// Source: Cassandra 5.0 AggregateFcts.FloatSumAggregate, FloatAvgAggregate.
type floatSum struct {
	t                         *types.Type
	avg                       bool
	sum, compensation, simple float64
	n                         int64
	exact                     *big.Rat // set once an average overflows
}

func (a *floatSum) Add(v []byte) {
	x, ok := numberOf(a.t, v)
	if !ok {
		return
	}
	a.n++
	if a.exact != nil {
		a.addExact(x.f)
		return
	}
	simple := a.simple + x.f
	tmp := x.f - a.compensation
	rounded := a.sum + tmp
	if a.avg && math.IsInf(rounded, 0) && !math.IsInf(x.f, 0) && !math.IsInf(a.sum, 0) {
		a.exact = new(big.Rat).SetFloat64(a.sum)
		a.addExact(x.f)
		return
	}
	a.simple = simple
	a.compensation = (rounded - a.sum) - tmp
	a.sum = rounded
}

func (a *floatSum) addExact(f float64) {
	if r := new(big.Rat).SetFloat64(f); r != nil {
		a.exact.Add(a.exact, r)
	}
}

func (a *floatSum) Result() []byte {
	total := a.sum + a.compensation
	if math.IsNaN(total) && math.IsInf(a.simple, 0) {
		total = a.simple
	}
	switch {
	case a.avg && a.n == 0:
		total = 0
	case a.exact != nil:
		total, _ = new(big.Rat).Quo(a.exact, new(big.Rat).SetInt64(a.n)).Float64()
	case a.avg:
		total /= float64(a.n)
	}
	if a.t.Kind == types.KindFloat {
		return types.EncodeFloat(float32(total))
	}
	return types.EncodeDouble(total)
}

func (a *floatSum) Reset() { *a = floatSum{t: a.t, avg: a.avg} }

type bigSum struct {
	avg bool
	n   int64
	sum *big.Int
}

func (a *bigSum) Add(v []byte) {
	if len(v) > 0 {
		a.n++
		a.sum = new(big.Int).Add(a.sum, types.DecodeVarint(v))
	}
}

func (a *bigSum) Result() []byte {
	if a.avg && a.n > 0 {
		return types.EncodeVarint(new(big.Int).Quo(a.sum, big.NewInt(a.n)))
	}
	return types.EncodeVarint(a.sum)
}

func (a *bigSum) Reset() { a.n, a.sum = 0, new(big.Int) }

// decimalSum is the exact sum, or the running average that keeps the scale of
// the operands. Source: Cassandra 5.0 AggregateFcts.avgFunctionForDecimal.
type decimalSum struct {
	avg   bool
	n     int64
	u     *big.Int
	scale int32
}

func (a *decimalSum) Add(v []byte) {
	if len(v) == 0 {
		return
	}
	a.n++
	u, s := types.DecodeDecimal(v)
	if a.avg {
		p, q, scale := align(u, s, a.u, a.scale)
		u, s = divide(new(big.Int).Sub(p, q), scale, big.NewInt(a.n), 0, scale, halfEven), scale
	}
	p, q, scale := align(a.u, a.scale, u, s)
	a.u, a.scale = new(big.Int).Add(p, q), scale
}

func (a *decimalSum) Result() []byte { return types.EncodeDecimal(a.u, a.scale) }
func (a *decimalSum) Reset()         { a.n, a.u, a.scale = 0, new(big.Int), 0 }
