package function

import (
	"math"

	"ringlab/model/plan"
	"ringlab/model/types"
)

// similarities compare two vectors of floats, in floats.
// Source: Cassandra 5.0 VectorFcts; jvector VectorSimilarityFunction.
var similarities = map[string]func(a, b []float32) float32{
	"similarity_cosine": func(a, b []float32) float32 {
		return (1 + float32(float64(dot(a, b))/math.Sqrt(float64(dot(a, a)*dot(b, b))))) / 2
	},
	"similarity_euclidean": func(a, b []float32) float32 {
		var sum float32
		for i := range a {
			d := a[i] - b[i]
			sum += float32(d * d)
		}
		return 1 / (1 + sum)
	},
	"similarity_dot_product": func(a, b []float32) float32 { return (1 + dot(a, b)) / 2 },
}

// Similarity is a similarity function by its CQL name, from a vector to vectors of
// the same type: the score is higher the more alike two are.
func Similarity(name string, t *types.Type, to []byte) func(vector []byte) float32 {
	compare, b := similarities[name], floats(t, to)
	return func(vector []byte) float32 { return compare(floats(t, vector), b) }
}

func dot(a, b []float32) float32 {
	var sum float32
	for i := range a {
		sum += float32(a[i] * b[i])
	}
	return sum
}

// similarity makes a similarity function for vectors of the arguments' length.
// Where no receiver is known, a list is read as a vector; else what has no type of
// its own is taken for a value of the receiver's.
func similarity(name string, args []Argument, receiver *types.Type) (*Function, error) {
	const takes = "(vector<float, n>, vector<float, n>)"
	if len(args) != 2 {
		return nil, plan.Invalid("Invalid number of arguments for function system.%s%s", name, takes)
	}
	of := make([]*types.Type, len(args))
	var t *types.Type
	for i, a := range args {
		of[i] = a.Type
		switch {
		case receiver == nil && a.List == 0:
			return nil, plan.Invalid("vectors may only have positive dimensions; given 0")
		case receiver == nil && a.List > 0:
			of[i] = types.VectorOf(types.Float, a.List)
		case of[i] == nil:
			of[i] = receiver
		}
		if of[i] == nil || of[i].Kind != types.KindVector {
			continue
		}
		if t == nil {
			t = of[i]
		} else if t.Dim != of[i].Dim {
			return nil, plan.Invalid("All arguments must have the same vector dimensions")
		}
	}
	for i, a := range args {
		switch {
		case of[i] == nil && t == nil:
			return nil, plan.Invalid("Cannot infer type of argument %s in call to function system.%s%s: use type casts to disambiguate", a.Text, name, takes)
		case of[i] == nil || of[i].Kind == types.KindVector && of[i].Elems[0].Kind == types.KindFloat:
		case of[i].Kind == types.KindList && of[i].Elems[0].Kind != types.KindFloat: // its elements are looked at first
			const list, vector = "org.apache.cassandra.db.marshal.ListType", "org.apache.cassandra.db.marshal.VectorType"
			return nil, plan.Fault("java.lang.ClassCastException: class " + list + " cannot be cast to class " + vector +
				" (" + list + " and " + vector + " are in unnamed module of loader 'app')")
		default:
			return nil, plan.Invalid("Function system.%s requires a float vector argument, but found argument %s of type %s", name, a.Text, of[i])
		}
	}
	compare := similarities[name]
	return &Function{Name: name, Args: []*types.Type{t, t}, Out: types.Float, Factory: true, Eval: func(_ *Context, args [][]byte) ([]byte, error) {
		if anyNull(args) {
			return nil, nil
		}
		a, b := floats(t, args[0]), floats(t, args[1])
		if name == "similarity_cosine" && (allZero(a) || allZero(b)) {
			return nil, plan.Invalid("Function system.%s doesn't support all-zero vectors.", name)
		}
		return types.EncodeFloat(compare(a, b)), nil
	}}, nil
}

func allZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

func floats(t *types.Type, b []byte) []float32 {
	elems, _ := t.DecodeVector(b)
	out := make([]float32, len(elems))
	for i, e := range elems {
		out[i] = types.DecodeFloat(e)
	}
	return out
}
