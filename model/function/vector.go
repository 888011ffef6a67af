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
// A list is read as a vector.
func similarity(name string, args []Argument) (*Function, error) {
	const takes = "(vector<float, n>, vector<float, n>)"
	if len(args) != 2 {
		return nil, plan.Invalid("Invalid number of arguments for function system.%s%s", name, takes)
	}
	var t *types.Type
	for _, a := range args {
		of := a.Type
		if a.List > 0 {
			of = types.VectorOf(types.Float, a.List)
		}
		if of == nil || of.Kind != types.KindVector {
			continue
		}
		if t == nil {
			t = of
		} else if t.Dim != of.Dim {
			return nil, plan.Invalid("All arguments must have the same vector dimensions")
		}
	}
	for _, a := range args {
		switch {
		case a.Type != nil && a.Type.Kind != types.KindVector && a.Type.Kind != types.KindList,
			a.Type != nil && a.Type.Kind == types.KindVector && a.Type.Elems[0].Kind != types.KindFloat:
			return nil, plan.Invalid("Function system.%s requires a float vector argument, but found argument %s of type %s", name, a.Text, a.Type)
		case t == nil && a.Type == nil:
			return nil, plan.Invalid("Cannot infer type of argument %s in call to function system.%s%s: use type casts to disambiguate", a.Text, name, takes)
		}
	}
	for _, a := range args {
		if a.Type != nil && a.Type.Kind == types.KindList && a.List == 0 {
			return nil, &plan.Error{Code: plan.ServerError, Message: "java.lang.ClassCastException: class org.apache.cassandra.db.marshal.ListType " +
				"cannot be cast to class org.apache.cassandra.db.marshal.VectorType"}
		}
	}
	compare := similarities[name]
	return &Function{Name: name, Args: []*types.Type{t, t}, Out: types.Float, Factory: true, Eval: func(_ *Context, args [][]byte) ([]byte, error) {
		if anyNull(args) {
			return nil, nil
		}
		a, b := floats(t, args[0]), floats(t, args[1])
		if name == "similarity_cosine" && (dot(a, a) == 0 || dot(b, b) == 0) {
			return nil, plan.Invalid("Function system.%s doesn't support all-zero vectors.", name)
		}
		return types.EncodeFloat(compare(a, b)), nil
	}}, nil
}

func floats(t *types.Type, b []byte) []float32 {
	elems, _ := t.DecodeVector(b)
	out := make([]float32, len(elems))
	for i, e := range elems {
		out[i] = types.DecodeFloat(e)
	}
	return out
}
