package cql

import (
	"math"
	"strconv"
)

// marker reads ? or :name. Source: Cassandra 5.0 Parser.g rule marker.
func (p *parser) marker() *Marker {
	m := &Marker{Index: len(p.markers), Pos: p.here()}
	if p.next().kind == tColon {
		m.Name = p.name()
	}
	p.markers = append(p.markers, m)
	return m
}

// integer reads an integer or a marker. Source: Cassandra 5.0 Parser.g rule intValue.
func (p *parser) integer() Term {
	switch p.kind() {
	case tInteger:
		return p.constant()
	case tQMark, tColon:
		return p.marker()
	}
	p.noViable(0)
	return nil
}

func isConstant(k kind) bool {
	return k == tString || k >= tInteger && k <= tNegInfinity
}

var constantKinds = [...]ConstantKind{
	tInteger: IntegerConstant, tFloat: FloatConstant, tBoolean: BooleanConstant,
	tDuration: DurationConstant, tHex: HexConstant, tUUID: UUIDConstant, tNaN: FloatConstant,
	tNegNaN: FloatConstant, tInfinity: FloatConstant, tNegInfinity: FloatConstant,
}

// constant reads a literal, whose type has been checked.
// Source: Cassandra 5.0 Parser.g rule constant, Constants.Literal.
func (p *parser) constant() *Constant {
	t := p.next()
	if len(p.slab) == 0 {
		p.slab = make([]Constant, 4)
	}
	c := &p.slab[0]
	p.slab = p.slab[1:]
	c.Kind, c.Text, c.Pos = constantKinds[t.kind], t.text(p.src), t.pos()
	switch t.kind {
	case tFloat:
		if v, err := strconv.ParseFloat(c.Text, 64); err != nil && math.IsInf(v, 0) {
			p.failed(t, "NumberFormatException", `Character I is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`)
		}
	case tNaN, tNegNaN:
		c.Text = "NaN"
	case tInfinity:
		c.Text = "Infinity"
	case tNegInfinity:
		c.Text = "-Infinity"
	}
	return c
}

// failed refuses as Cassandra does where its parser throws a Java exception.
// Source: Cassandra 5.0 QueryProcessor.parseStatement.
func (p *parser) failed(t token, exception, reason string) {
	panic(bailout{thrown: true, err: &SyntaxError{Pos: p.place(t), Near: t.text(p.src),
		Message: "Failed parsing statement: [" + p.src + "] reason: " + exception + " " + reason}})
}
