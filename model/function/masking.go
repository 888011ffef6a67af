package function

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha3"
	"crypto/sha512"
	"math/big"
	"strings"
	"unicode/utf16"

	"ringlab/model/plan"
	"ringlab/model/types"
)

// signature is what a factory of several parameters takes: types that are told
// by name, the last of them optional where rest is given.
type signature struct {
	takes []*types.Type // nil: any type
	more  *types.Type   // an optional last parameter
}

var masks = map[string]signature{
	"mask_null": {takes: []*types.Type{nil}}, "mask_default": {takes: []*types.Type{nil}}, "mask_replace": {takes: []*types.Type{nil, nil}},
	"mask_hash":  {takes: []*types.Type{nil}, more: types.Text},
	"mask_inner": {takes: []*types.Type{types.Text, types.Int, types.Int}, more: types.Text},
	"mask_outer": {takes: []*types.Type{types.Text, types.Int, types.Int}, more: types.Text},
}

func (s signature) String() string {
	var out []string
	for _, t := range s.takes {
		switch t {
		case nil:
			out = append(out, "any")
		case types.Text:
			out = append(out, "[text|varchar|ascii]")
		default:
			out = append(out, t.String())
		}
	}
	if s.more != nil {
		out = append(out, "["+s.more.String()+"]")
	}
	return strings.Join(out, ", ")
}

// mask makes a function of dynamic data masking.
// Source: Cassandra 5.0 MaskingFcts, FunctionFactory.getOrCreateFunction, FunctionParameter.
func mask(name string, args []Argument, receiver *types.Type) (*Function, error) {
	s := masks[name]
	if n := len(args) - len(s.takes); n < 0 || n > 1 || n == 1 && s.more == nil {
		return nil, plan.Invalid("Invalid number of arguments for function system.%s(%s)", name, s)
	}
	f := &Function{Name: name, Args: make([]*types.Type, len(args)), Factory: true}
	for i, a := range args {
		want := s.more
		if i < len(s.takes) {
			want = s.takes[i]
		}
		t := a.Type
		switch {
		case name == "mask_replace" && i == 1 && f.Args[0] != nil:
			t = f.Args[0]
		case t == nil && want != nil:
			t = want
		case t == nil:
			t = receiver
		}
		if t == nil {
			return nil, plan.Invalid("Cannot infer type of argument %s in call to function system.%s(%s): use type casts to disambiguate", a.Text, name, s)
		}
		if first := want == types.Text && i == 0; first && t.Kind != types.KindText && t.Kind != types.KindAscii {
			return nil, plan.Invalid("Function system.%s requires an argument of type [text|varchar|ascii], but found argument %s of type %s", name, a.Text, t)
		} else if want != nil && !first && !t.Equal(want) && !(want == types.Text && t.Kind == types.KindAscii) {
			return nil, plan.Invalid("Function system.%s requires an argument of type %s, but found argument %s of type %s", name, want, a.Text, t)
		}
		f.Args[i] = t
	}
	f.Out = f.Args[0]
	switch name {
	case "mask_null":
		f.Eval = func(*Context, [][]byte) ([]byte, error) { return nil, nil }
	case "mask_default":
		masked := maskedValue(f.Out)
		f.Eval = func(*Context, [][]byte) ([]byte, error) { return masked, nil }
	case "mask_replace":
		f.Args[1] = f.Args[0]
		f.Eval = func(_ *Context, a [][]byte) ([]byte, error) { return a[1], nil }
	case "mask_hash":
		f.Out = types.Blob
		f.Eval = maskHash
	default:
		f.Eval = func(_ *Context, a [][]byte) ([]byte, error) { return maskPart(name, a) }
	}
	return f, nil
}

// maskPart hides the inside or the ends of a text.
// Source: Cassandra 5.0 PartialMaskingFunction.
func maskPart(name string, args [][]byte) ([]byte, error) {
	if args[0] == nil {
		return nil, nil
	}
	hide := uint16('*')
	if len(args) > 3 && len(args[3]) > 0 {
		pad := utf16.Encode([]rune(string(args[3])))
		if len(pad) != 1 {
			return nil, plan.Invalid("The padding argument for function system.%s should be single-character, but '%s' has %d characters.", name, args[3], len(pad))
		}
		hide = pad[0]
	}
	var ends [2]int
	for i := range ends {
		if args[1+i] != nil {
			ends[i] = int(types.DecodeInt32(args[1+i]))
		}
	}
	chars := utf16.Encode([]rune(string(args[0])))
	last := len(chars) - 1 - ends[1]
	for i := range chars {
		if inside := i >= ends[0] && i <= last; inside == (name == "mask_inner") {
			chars[i] = hide
		}
	}
	return []byte(string(utf16.Decode(chars))), nil
}

// maskHash is the digest of a value's bytes.
// Source: Cassandra 5.0 HashMaskingFunction.
func maskHash(_ *Context, args [][]byte) ([]byte, error) {
	name := "SHA-256"
	if len(args) > 1 && args[1] != nil {
		name = string(args[1])
	}
	digest, ok := digests[strings.ToUpper(name)]
	if !ok {
		return nil, plan.Invalid("Hash algorithm not found: %s", name)
	}
	if args[0] == nil {
		return nil, nil
	}
	return digest(args[0]), nil
}

// digests are the algorithms of Java's MessageDigest, MD2 left out.
var digests = map[string]func([]byte) []byte{
	"MD5":         func(b []byte) []byte { s := md5.Sum(b); return s[:] },
	"SHA":         func(b []byte) []byte { s := sha1.Sum(b); return s[:] },
	"SHA1":        func(b []byte) []byte { s := sha1.Sum(b); return s[:] },
	"SHA-1":       func(b []byte) []byte { s := sha1.Sum(b); return s[:] },
	"SHA-224":     func(b []byte) []byte { s := sha256.Sum224(b); return s[:] },
	"SHA-256":     func(b []byte) []byte { s := sha256.Sum256(b); return s[:] },
	"SHA-384":     func(b []byte) []byte { s := sha512.Sum384(b); return s[:] },
	"SHA-512":     func(b []byte) []byte { s := sha512.Sum512(b); return s[:] },
	"SHA-512/224": func(b []byte) []byte { s := sha512.Sum512_224(b); return s[:] },
	"SHA-512/256": func(b []byte) []byte { s := sha512.Sum512_256(b); return s[:] },
	"SHA3-224":    func(b []byte) []byte { s := sha3.Sum224(b); return s[:] },
	"SHA3-256":    func(b []byte) []byte { s := sha3.Sum256(b); return s[:] },
	"SHA3-384":    func(b []byte) []byte { s := sha3.Sum384(b); return s[:] },
	"SHA3-512":    func(b []byte) []byte { s := sha3.Sum512(b); return s[:] },
}

// maskedValue is what mask_default shows of a type.
// Source: Cassandra 5.0 AbstractType.getMaskedValue.
func maskedValue(t *types.Type) []byte {
	switch t.Kind {
	case types.KindAscii, types.KindText:
		return []byte("****")
	case types.KindBlob:
		return []byte{}
	case types.KindBoolean, types.KindTinyInt:
		return make([]byte, 1)
	case types.KindSmallInt:
		return make([]byte, 2)
	case types.KindInt, types.KindFloat, types.KindInet:
		return make([]byte, 4)
	case types.KindDate:
		return types.EncodeDate(0)
	case types.KindBigInt, types.KindCounter, types.KindDouble, types.KindTime, types.KindTimestamp:
		return make([]byte, 8)
	case types.KindDecimal:
		return types.EncodeDecimal(new(big.Int), 0)
	case types.KindVarint:
		return types.EncodeVarint(new(big.Int))
	case types.KindDuration:
		return types.EncodeDuration(types.DurationValue{})
	case types.KindUUID:
		return make([]byte, 16)
	case types.KindTimeUUID:
		return types.MinTimeUUID(0)
	case types.KindTuple, types.KindUDT:
		fields := make([][]byte, len(t.Elems))
		for i, e := range t.Elems {
			fields[i] = maskedValue(e)
		}
		return types.EncodeTuple(fields)
	case types.KindVector:
		elems := make([][]byte, t.Dim)
		for i := range elems {
			elems[i] = maskedValue(t.Elems[0])
		}
		return t.EncodeVector(elems)
	}
	return types.EncodeCollection(nil)
}
