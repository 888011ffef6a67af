package types

import (
	"encoding/hex"
	"errors"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
)

// A value of the classic model is read, checked and shown by its marshal class,
// in the words of 2.1, which are not always those of 5.0.

// Of is the CQL type of a class: the type itself where CQL has one, a timestamp of
// another order for DateType, a timeuuid of which clients are told the class for
// LegacyTimeUUIDType, else a custom type, which CQL knows by the class's
// name alone.
func Of(c *Comparator) *Type {
	switch {
	case c.Type != nil:
		return c.Type
	case c.Class == "DateType":
		return &Type{Kind: KindTimestamp, Class: c}
	case c.Class == "LegacyTimeUUIDType":
		return &Type{Kind: KindTimeUUID, Class: c}
	}
	return &Type{Kind: KindCustom, Frozen: true, Class: c}
}

// LegacyTimeUUID is the class that clients are told of a timeuuid which min, max,
// blob_as_timeuuid or a mask gives.
// Source: Cassandra 5.0 TimeUUIDType.udfType.
var LegacyTimeUUID = Of(&Comparator{Class: "LegacyTimeUUIDType"})

// ClassOf is the class of a type.
func ClassOf(t *Type) *Comparator {
	if t.Class != nil {
		return t.Class
	}
	return &Comparator{Class: marshalNames[t.Kind], Type: t}
}

// Counter says whether the class is CounterColumnType.
func (c *Comparator) Counter() bool { return c.Type != nil && c.Type.Kind == KindCounter }

// Base is the class without ReversedType, and whether that was around it.
func (c *Comparator) Base() (base *Comparator, reversed bool) {
	if c.Type == nil && c.Class == "ReversedType" {
		return c.Parts[0], true
	}
	return c, false
}

// Composite says whether the class is a CompositeType with components.
func (c *Comparator) Composite() bool {
	return c.Type == nil && c.Class == "CompositeType" && len(c.Parts) > 0
}

// ComparesAll says whether the class puts any bytes in order, also those that are
// no value of it; the other classes of 2.1 fail.
// Source: Cassandra 2.1 compare of each class in db/marshal.
func (c *Comparator) ComparesAll() bool {
	c, _ = c.Base()
	switch {
	case c.Type == nil:
		return c.Class == "DateType" || c.Class == "EmptyType"
	case c.Type.Kind == KindFloat, c.Type.Kind == KindDouble, c.Type.Kind == KindDecimal, c.Type.Kind == KindTimeUUID:
		return false
	}
	return c.Type.Kind <= KindVarint
}

// composed says whether the class is a composite of either kind.
func (c *Comparator) composed() bool {
	return c.Type == nil && (c.Class == "CompositeType" || c.dynamic())
}

// dynamic says whether the class is a DynamicCompositeType.
func (c *Comparator) dynamic() bool { return c.Aliases != nil }

// ClassicParse reads a value from the text that a cassandra-cli statement has in
// its place. Errors are *MarshalError.
// Source: Cassandra 2.1 AbstractType.fromString of each class.
func (c *Comparator) ClassicParse(s string) ([]byte, error) {
	return c.ClassicParseBy(s, (*Comparator).ClassicParse)
}

// ClassicParseBy is ClassicParse whose components are read by a function that may
// know more, as what time it is.
func (c *Comparator) ClassicParseBy(s string, component func(*Comparator, string) ([]byte, error)) ([]byte, error) {
	c, _ = c.Base()
	switch {
	case c.Composite() || c.dynamic() || c.Class == "CompositeType":
		return c.parseComposite(s, component)
	case c.Class == "LexicalUUIDType":
		b, ok := javaUUID(s)
		if s != "" && !ok {
			return nil, marshalError("unable to make UUID from '%s'", s)
		}
		return b, nil
	case c.Class == "DateType":
		return classicParse(Timestamp, s)
	case c.Type != nil:
		return classicParse(c.Type, s)
	}
	return hexText(s)
}

func hexText(s string) ([]byte, error) {
	b, err := hex.DecodeString(s)
	if err != nil {
		return nil, marshalError("cannot parse '%s' as hex bytes", s)
	}
	return b, nil
}

func classicParse(t *Type, s string) ([]byte, error) {
	var failed string
	switch t.Kind {
	case KindBlob:
		return hexText(s)
	case KindCounter:
		if len(utf16.Encode([]rune(s)))%2 == 1 {
			return nil, marshalError("An hex string representing bytes must have an even length")
		}
		b, err := hex.DecodeString(s)
		if err != nil {
			return nil, marshalError("Non-hex characters in %s", s)
		}
		return b, nil
	case KindBigInt:
		failed = "unable to make long from '" + s + "'"
	case KindInt:
		failed = "unable to make int from '" + s + "'"
	case KindFloat:
		failed = "unable to coerce '" + s + "' to a float"
	case KindDouble:
		failed = "unable to coerce '" + s + "' to a double"
	case KindBoolean:
		failed = "unable to make boolean from '" + s + "'"
	case KindTimestamp:
		if _, err := strconv.ParseInt(s, 10, 64); errors.Is(err, strconv.ErrRange) {
			return nil, marshalError("unable to make long (for date) from: '%s'", s)
		}
		failed = "unable to coerce '" + s + "' to a  formatted date (long)"
		if y, m, d, _, ok := parseISODate(s); ok && d > daysInMonth(y, m) {
			return nil, marshalError("%s", failed)
		}
	case KindInet:
		failed = "unable to make inetaddress from '" + s + "'"
	case KindUUID:
		failed = "unable to make version 1 UUID from '" + s + "'"
	case KindList, KindSet, KindMap, KindTuple, KindUDT, KindVector:
		return hexText(s)
	}
	b, err := t.FromString(s)
	if err != nil && failed != "" && err != ErrNow {
		return nil, marshalError("%s", failed)
	}
	return b, err
}

// parseComposite reads component:component, the last of which may be _ or ! for
// the ends of a slice; a dynamic component begins with class@.
// Source: Cassandra 2.1 AbstractCompositeType.fromString.
func (c *Comparator) parseComposite(s string, component func(*Comparator, string) ([]byte, error)) ([]byte, error) {
	var out []byte
	end := byte(0)
	for i, part := range splitColons(s) {
		if part == "!" || part == "_" {
			end = map[string]byte{"!": 1, "_": 0xff}[part]
			break
		}
		comp, err := c.classOfPart(i, &part, &out)
		if err != nil {
			return nil, err
		}
		value, err := component(comp, unescapePart(part))
		if err != nil {
			return nil, err
		}
		out = append(out, byte(len(value)>>8), byte(len(value)))
		out = append(append(out, value...), 0)
	}
	if len(out) > 0 {
		out[len(out)-1] = end
	}
	return out, nil
}

// classOfPart is the class of a component; for a dynamic one it takes the class
// from the text and writes it.
func (c *Comparator) classOfPart(i int, part *string, out *[]byte) (*Comparator, error) {
	if !c.dynamic() {
		if i >= len(c.Parts) {
			return nil, marshalError("index (%d) must be less than size (%d)", i, len(c.Parts))
		}
		return c.Parts[i], nil
	}
	name, rest, ok := strings.Cut(strings.TrimRight(*part, "@"), "@")
	if !ok || strings.Contains(rest, "@") {
		return nil, marshalError("Invalid component representation: %s", *part)
	}
	*part = rest
	if len(name) == 1 {
		if comp := c.Aliases[name[0]]; comp != nil {
			*out = append(*out, 0x80, name[0])
			return comp, nil
		}
	}
	comp, err := componentClass(name)
	if err != nil {
		return nil, &MarshalError{Msg: "Unable to find abstract-type class '" + marshalPackage + name + "'", Request: true}
	}
	*out = append(*out, byte(len(name)>>8), byte(len(name)))
	*out = append(*out, name...)
	return comp, nil
}

// unescapePart undoes what rawComposite escapes.
func unescapePart(s string) string {
	s = strings.ReplaceAll(s, `\:`, ":")
	return strings.TrimSuffix(s, "!")
}

// ClassicText is a value as cassandra-cli shows it. A value that is none of the
// class is refused as by ClassicValidate.
// Source: Cassandra 2.1 AbstractType.getString of each class.
func (c *Comparator) ClassicText(b []byte) (string, error) {
	c, _ = c.Base()
	switch {
	case c.Class == "CompositeType" && c.Type == nil || c.dynamic():
		return c.classicComposite(b)
	case c.Class == "LexicalUUIDType":
		return classicText(UUID, b)
	case c.Class == "DateType":
		return classicText(Timestamp, b)
	case c.Type != nil:
		return classicText(c.Type, b)
	}
	return hex.EncodeToString(b), nil
}

func classicText(t *Type, b []byte) (string, error) {
	switch t.Kind {
	case KindBlob, KindCounter, KindList, KindSet, KindMap, KindTuple, KindUDT, KindVector:
		return hex.EncodeToString(b), nil
	}
	if err := t.classicValidate(b); err != nil {
		return "", err
	}
	if len(b) == 0 {
		return "", nil
	}
	switch t.Kind {
	case KindTimestamp:
		return cellTimestampMinutes(DecodeInt64(b)), nil
	case KindDecimal:
		if len(b) == 4 {
			return "", marshalError("Zero length BigInteger")
		}
		return plainDecimal(DecodeDecimal(b)), nil
	}
	return t.scalar(b), nil
}

// ClassicShown is ClassicText, or the plain text of what is no value of the class.
func (c *Comparator) ClassicShown(b []byte) string {
	text, err := c.ClassicText(b)
	if err != nil {
		return c.Raw(b)
	}
	return text
}

// longestPlain is how many zeros a decimal may need to be written without an
// exponent.
const longestPlain = 10000

// plainDecimal is a decimal without an exponent, unless that were absurdly long.
// Source: BigDecimal.toPlainString.
func plainDecimal(unscaled *big.Int, scale int32) string {
	if scale > longestPlain || scale < -longestPlain {
		return FormatDecimal(unscaled, scale)
	}
	digits := new(big.Int).Abs(unscaled).String()
	switch {
	case scale < 0 && unscaled.Sign() != 0:
		digits += strings.Repeat("0", int(-scale))
	case scale > 0:
		if short := int(scale) + 1 - len(digits); short > 0 {
			digits = strings.Repeat("0", short) + digits
		}
		digits = digits[:len(digits)-int(scale)] + "." + digits[len(digits)-int(scale):]
	}
	if unscaled.Sign() < 0 {
		return "-" + digits
	}
	return digits
}

// cellTimestampMinutes is yyyy-MM-dd HH:mm in UTC.
// Source: Cassandra 2.1 TimestampSerializer.TO_JSON_FORMAT, DATE_FORMATTER.
func cellTimestampMinutes(ms int64) string {
	s := strings.TrimPrefix(formatTimestamp(ms, ' '), "+")
	at := strings.LastIndexByte(s, ' ')
	if at < 0 || at+6 > len(s) {
		return s
	}
	return s[:at+6] + "Z"
}

// classicComposite is rawComposite that refuses what no component can be.
func (c *Comparator) classicComposite(b []byte) (string, error) {
	var s strings.Builder
	if trimStatic(&b) {
		s.WriteByte(':')
	}
	for i := 0; len(b) > 0; i++ {
		comp, name, value, end, rest, ok := c.next(i, b)
		if !ok {
			return "", c.ClassicValidate(b)
		}
		if i > 0 {
			s.WriteByte(':')
		}
		if c.Aliases != nil {
			s.WriteString(name + "@")
		}
		text, err := comp.ClassicText(value)
		if err != nil {
			return "", err
		}
		if b = rest; writeComponent(&s, text, end) {
			break
		}
	}
	return s.String(), nil
}

// KindOf is the classes of the components of a name under DynamicCompositeType,
// joined by |; ok is false for bytes that are no such name.
func (c *Comparator) KindOf(b []byte) (kind string, ok bool) {
	var classes []string
	for i := 0; len(b) > 0; i++ {
		part, _, _, _, rest, ok := c.next(i, b)
		if !ok {
			return "", false
		}
		classes, b = append(classes, part.ClassicName()), rest
	}
	return strings.Join(classes, "|"), len(classes) > 0
}

// ClassicValidate checks that bytes are a value of the class.
// Source: Cassandra 2.1 AbstractType.validate of each class.
func (c *Comparator) ClassicValidate(b []byte) error {
	c, _ = c.Base()
	switch {
	case c.Class == "CompositeType" && c.Type == nil || c.dynamic():
		return c.validateComposite(b)
	case c.Class == "LexicalUUIDType":
		return UUID.classicValidate(b)
	case c.Class == "DateType":
		return Timestamp.classicValidate(b)
	case c.Type != nil:
		return c.Type.classicValidate(b)
	}
	return nil
}

func (t *Type) classicValidate(b []byte) error {
	if t.Kind == KindTimeUUID && len(b) == 16 && b[6]>>4 != 1 {
		return marshalError("Invalid version for TimeUUID type.")
	}
	err := t.Validate(b)
	if t.Kind == KindMap && err != nil && strings.HasSuffix(err.Error(), "to read a map") { // as 2.1 words it
		return marshalError("Not enough bytes to read a set")
	}
	return err
}

// validateComposite checks component by component.
// Source: Cassandra 2.1 AbstractCompositeType.validate, CompositeType.validateComparator, DynamicCompositeType.validateComparator.
func (c *Comparator) validateComposite(b []byte) error {
	for i := 0; len(b) > 0; i++ {
		comp, err := c.classAt(i, &b)
		switch {
		case err != nil:
			return err
		case len(b) < 2:
			return marshalError("Not enough bytes to read value size of component %d", i)
		}
		n := int(b[0])<<8 | int(b[1])
		switch {
		case len(b)-2 < n:
			return marshalError("Not enough bytes to read value of component %d", i)
		case len(b)-2 == n:
			return marshalError("Not enough bytes to read the end-of-component byte of component%d", i)
		}
		if err := comp.ClassicValidate(b[2 : 2+n]); err != nil {
			return err
		}
		end := b[2+n]
		if b = b[3+n:]; end != 0 && len(b) > 0 {
			return marshalError("Invalid bytes remaining after an end-of-component at component%d", i)
		}
	}
	return nil
}

// classAt is the class of the next component; a dynamic one's header is taken.
func (c *Comparator) classAt(i int, b *[]byte) (*Comparator, error) {
	if !c.dynamic() {
		if i >= len(c.Parts) {
			return nil, marshalError("Too many bytes for comparator")
		}
		return c.Parts[i], nil
	}
	if len(*b) < 2 {
		return nil, marshalError("Not enough bytes to header of the comparator part of component %d", i)
	}
	n := int((*b)[0])<<8 | int((*b)[1])
	*b = (*b)[2:]
	if n&0x8000 != 0 {
		if comp := c.Aliases[byte(n)]; comp != nil {
			return comp, nil
		}
		return nil, marshalError("Cannot find comparator for component %d", i)
	}
	if len(*b) < n {
		return nil, marshalError("Not enough bytes to read comparator name of component %d", i)
	}
	comp, err := componentClass(string((*b)[:n]))
	*b = (*b)[n:]
	if err != nil {
		return nil, marshalError("Cannot find comparator for component %d", i)
	}
	return comp, nil
}

// CompatibleWith says whether names that were sorted by an older class may be
// read by this one. Source: Cassandra 2.1 AbstractType.isCompatibleWith.
func (c *Comparator) CompatibleWith(old *Comparator) bool {
	if c.MarshalName() == old.MarshalName() {
		return true
	}
	base, reversed := c.Base()
	was, before := old.Base()
	switch {
	case reversed != before:
		return false
	case reversed:
		return base.CompatibleWith(was)
	case c.dynamic() && old.dynamic():
		for a, p := range old.Aliases {
			if have := c.Aliases[a]; have == nil || have.MarshalName() != p.MarshalName() {
				return false
			}
		}
		return true
	case c.Class == "CompositeType" && old.Class == "CompositeType" && c.Type == nil:
		if len(c.Parts) < len(old.Parts) {
			return false
		}
		for i, p := range old.Parts {
			if !c.Parts[i].CompatibleWith(p) {
				return false
			}
		}
		return true
	case c.Class == "DateType" && old.kind(KindTimestamp), c.kind(KindTimestamp) && old.Class == "DateType":
		return true
	case c.kind(KindBlob):
		return old.kind(KindAscii) || old.kind(KindText)
	case c.kind(KindText):
		return old.kind(KindAscii)
	}
	return false
}

func (c *Comparator) kind(k Kind) bool { return c.Type != nil && c.Type.Kind == k }

// ClassicName is MarshalName as clients are told it: aliases stand in the order of
// a Java HashMap. Source: Cassandra 2.1 TypeParser.stringifyAliasesParameters.
func (c *Comparator) ClassicName() string {
	if c.Type != nil {
		return c.Type.MarshalName()
	}
	var parts []string
	if c.dynamic() {
		for _, a := range c.hashedAliases() {
			parts = append(parts, string(rune(a))+"=>"+c.Aliases[a].ClassicName())
		}
	} else {
		for _, p := range c.Parts {
			parts = append(parts, p.ClassicName())
		}
	}
	if len(parts) == 0 {
		return marshalPackage + c.Class
	}
	return marshalPackage + c.Class + "(" + strings.Join(parts, ",") + ")"
}

// hashedAliases are the aliases in the order of a HashMap that grew with them.
func (c *Comparator) hashedAliases() []byte {
	size := 16
	for len(c.Aliases) > size*3/4 {
		size *= 2
	}
	var out []byte
	for bucket := 0; bucket < size; bucket++ {
		for _, a := range c.order {
			if int(a)%size == bucket {
				out = append(out, a)
			}
		}
	}
	return out
}

// PartClasses are the classes of a composite name's components, as far as they
// can be read: those of a dynamic one stand in the name itself.
func (c *Comparator) PartClasses(name []byte) []string {
	var out []string
	for i := 0; len(name) > 0; i++ {
		comp, err := c.classAt(i, &name)
		if err != nil || len(name) < 2 {
			break
		}
		n := 3 + (int(name[0])<<8 | int(name[1]))
		if len(name) < n {
			break
		}
		out, name = append(out, comp.ClassicName()), name[n:]
	}
	return out
}
