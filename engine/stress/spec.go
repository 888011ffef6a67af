package stress

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is a family of distributions.
type Kind uint8

// The families of distributions.
const (
	Fixed Kind = iota
	Uniform
	Gaussian
	Exponential
	Extreme
	Quantized
	Sequence
)

var kindNames = [...]string{"FIXED", "UNIFORM", "GAUSSIAN", "EXP", "EXTREME", "QEXTREME", "SEQ"}

// kindsByName has the spellings of cassandra-stress, and WEIBULL, EXPONENTIAL
// and SEQUENCE written out. Source: Cassandra 5.0 OptionDistribution.LOOKUP.
var kindsByName = map[string]Kind{"fixed": Fixed, "uniform": Uniform, "gaussian": Gaussian, "gauss": Gaussian, "normal": Gaussian, "norm": Gaussian,
	"exp": Exponential, "exponential": Exponential, "extreme": Extreme, "extr": Extreme, "weibull": Extreme, "qextreme": Quantized, "qextr": Quantized,
	"seq": Sequence, "sequence": Sequence}

// choices are the forms of a distribution, for whoever wrote another.
const choices = "FIXED(n), UNIFORM(min..max), GAUSSIAN(min..max), GAUSSIAN(min..max,stdvrng), GAUSSIAN(min..max,mean,stdev), EXP(min..max), " +
	"EXTREME(min..max,shape), QEXTREME(min..max,shape,quantas), SEQ(min..max), and each with ~ in front for its mirror image"

// Spec is a distribution as it is written: NAME(min..max,…).
type Spec struct {
	Kind     Kind
	Inverted bool
	Min, Max int64
	A, B     float64 // gaussian: mean and deviation; extreme: shape and scale; exponential: mean
	Quantas  int
}

// SpecError says where in the text of a distribution something is wrong.
type SpecError struct {
	Offset int // byte in the text
	Msg    string
}

func (e *SpecError) Error() string { return e.Msg }

func specError(at int, format string, args ...any) *SpecError {
	return &SpecError{at, fmt.Sprintf(format, args...)}
}

// ParseSpec reads a distribution. Every error is a *SpecError.
// Source: Cassandra 5.0 OptionDistribution.get.
func ParseSpec(text string) (Spec, error) {
	var s Spec
	trimmed := strings.TrimSpace(text)
	start := strings.Index(text, trimmed)
	rest := trimmed
	if strings.HasPrefix(rest, "~") {
		s.Inverted, rest, start = true, rest[1:], start+1
	}
	open := strings.IndexByte(rest, '(')
	if open <= 0 || !strings.HasSuffix(rest, ")") {
		return s, specError(start, "%q is not a distribution: write one of %s", cut(text), choices)
	}
	kind, ok := kindsByName[strings.ToLower(rest[:open])]
	if !ok {
		return s, specError(start, "there is no distribution %s: the choices are %s", cut(rest[:open]), choices)
	}
	s.Kind = kind
	args, at := strings.Split(rest[open+1:len(rest)-1], ","), start+open+1
	return s, s.arguments(args, at)
}

// most is how many arguments each family takes.
var most = [...]int{1, 1, 3, 1, 2, 3, 1}

func (s *Spec) arguments(args []string, at int) error {
	name := kindNames[s.Kind]
	if len(args) > most[s.Kind] || (s.Kind == Extreme || s.Kind == Quantized) && len(args) < most[s.Kind] {
		return specError(at, "%s does not take %s: it is written as in %s", name, plural(len(args), "argument"), choices)
	}
	if s.Kind == Fixed {
		v, ok := parseLong(args[0])
		if !ok {
			return specError(at, "FIXED takes a whole number, which may end in k, m or b for thousands, millions or billions; %q is none", cut(args[0]))
		}
		s.Min, s.Max = v, v
		return nil
	}
	low, high, ok := strings.Cut(args[0], "..")
	high = strings.TrimLeft(high, ".")
	var okLow, okHigh bool
	s.Min, okLow = parseLong(low)
	s.Max, okHigh = parseLong(high)
	if !ok || !okLow || !okHigh {
		return specError(at, "%s begins with its bounds, min..max, as in %s(1..100K); %q is no such range", name, name, cut(args[0]))
	}
	if s.Min > s.Max {
		return specError(at, "the range %s of %s ends below its beginning: write the smaller number first", cut(args[0]), name)
	}
	if s.Max > math.MaxInt64/2 || s.Min < math.MinInt64/2 {
		return specError(at, "the range %s of %s is too wide", cut(args[0]), name)
	}
	at += len(args[0]) + 1
	var numbers []float64
	for _, a := range args[1:] {
		v, err := strconv.ParseFloat(strings.TrimSpace(a), 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return specError(at, "%q is no number: %s is written as in %s", cut(a), name, choices)
		}
		numbers = append(numbers, v)
		at += len(a) + 1
	}
	return s.shape(numbers, at-1)
}

// shape sets what the numbers behind the range say.
func (s *Spec) shape(numbers []float64, at int) error {
	width := float64(s.Max - s.Min)
	switch s.Kind {
	case Gaussian:
		s.A, s.B = (float64(s.Min)+float64(s.Max))/2, width/2/3
		switch len(numbers) {
		case 1:
			s.B = width / 2 / numbers[0]
		case 2:
			s.A, s.B = numbers[0], numbers[1]
		}
		if s.Min < s.Max && !(s.B > 0 && !math.IsInf(s.B, 0)) {
			return specError(at, "the standard deviation of GAUSSIAN has to be above 0")
		}
	case Exponential, Extreme, Quantized:
		if width == 1 {
			return specError(at, "%s needs a range of more than two numbers: cassandra-stress fails on a narrower one, UNIFORM takes any", kindNames[s.Kind])
		}
		edge := -logarithm(1 - (1 - math.Sqrt(1/width)))
		s.A = width / edge
		if s.Kind != Exponential {
			if s.A = numbers[0]; s.A <= 0 {
				return specError(at, "the shape of %s has to be above 0", kindNames[s.Kind])
			}
			s.B = width / power(edge, 1/s.A)
		}
		if s.Kind == Quantized {
			if s.Quantas = int(numbers[1]); float64(s.Quantas) != numbers[1] || s.Quantas < 1 || s.Quantas > 1<<16 {
				return specError(at, "the number of quantas of QEXTREME is a whole number from 1 to 65536")
			}
		}
	}
	return nil
}

// New is a new source of draws.
func (s Spec) New() Distribution {
	var d Distribution
	switch {
	case s.Min == s.Max:
		d = fixed(s.Min)
	case s.Kind == Sequence:
		d = &sequence{start: s.Min, count: s.Max - s.Min + 1}
	case s.Kind == Uniform:
		d = &bound{min: s.Min, max: s.Max, curve: curve{Uniform, float64(s.Min), float64(s.Max + 1)}}
	case s.Kind == Gaussian:
		d = &bound{min: s.Min, max: s.Max, curve: curve{Gaussian, s.A, s.B}}
	case s.Kind == Exponential:
		d = &offset{min: s.Min, delta: s.Max - s.Min, curve: curve{Exponential, s.A, 0}}
	default:
		d = &offset{min: s.Min, delta: s.Max - s.Min, curve: curve{Extreme, s.A, s.B}}
		if s.Kind == Quantized {
			d = newQuantized(d, s.Quantas)
		}
	}
	if s.Inverted {
		d = &inverted{of: d, min: Min(d), max: Max(d)}
	}
	return d
}

// parseLong is a whole number that may end in k, m or b.
// Source: Cassandra 5.0 OptionDistribution.parseLong.
func parseLong(text string) (int64, bool) {
	text = strings.ToLower(strings.TrimSpace(text))
	times := int64(1)
	if text != "" {
		switch text[len(text)-1] {
		case 'k':
			times = 1000
		case 'm':
			times = 1000000
		case 'b':
			times = 1000000000
		}
	}
	if times > 1 {
		text = text[:len(text)-1]
	}
	v, err := strconv.ParseInt(text, 10, 64)
	if err != nil || v > math.MaxInt64/times || v < math.MinInt64/times {
		return 0, false
	}
	return v * times, true
}

// Ratio is a distribution over a divisor, cut to what lies between 0 and 1.
type Ratio struct {
	Spec    Spec
	Divisor float64
}

// ParseRatio reads a ratio, DISTRIBUTION/n. Every error is a *SpecError.
// Source: Cassandra 5.0 OptionRatioDistribution.get.
func ParseRatio(text string) (Ratio, error) {
	i := strings.LastIndexByte(text, '/')
	if i < 0 {
		return Ratio{}, specError(0, "%q is not a ratio: write a distribution over a number, as in FIXED(1)/1 or UNIFORM(1..10)/10", cut(text))
	}
	n, ok := parseLong(text[i+1:])
	if !ok || n <= 0 {
		return Ratio{}, specError(i+1, "a ratio divides by a whole number above 0, not by %q", cut(text[i+1:]))
	}
	s, err := ParseSpec(text[:i])
	return Ratio{s, float64(n)}, err
}

// ratio draws from a Ratio.
type ratio struct {
	of      Distribution
	divisor float64
}

func (r Ratio) new() *ratio { return &ratio{r.Spec.New(), r.Divisor} }

func (r *ratio) next() float64 { return max(0, min(1, r.of.NextDouble()/r.divisor)) }

// cut shortens a text for a message.
func cut(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}

func plural(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + one + "s"
}
