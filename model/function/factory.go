package function

import (
	"strings"

	"ringlab/model/plan"
	"ringlab/model/types"
)

// Argument is what a factory wants to know of one argument.
type Argument struct {
	Text string      // as refusals show it
	Type *types.Type // nil if it cannot be told
	List int         // elements of a list literal, -1 for anything else
	Desc bool        // a clustering column in descending order, whose type is no collection's class
}

// parameter is what a factory takes at one place.
type parameter uint8

const (
	_       parameter = iota
	anyType           // of the receiver if it cannot be told
	anyMap
	anyCollection
	setOrList
	numericSetOrList
	text
)

var parameterNames = [...]string{"", "any", "map", "collection", "numeric_set_or_list", "numeric_set_or_list", "text"}

var factories = map[string]parameter{"min": anyType, "max": anyType, "map_keys": anyMap, "map_values": anyMap,
	"collection_count": anyCollection, "collection_min": setOrList, "collection_max": setOrList,
	"collection_sum": numericSetOrList, "collection_avg": numericSetOrList, "to_json": anyType, "tojson": anyType, "from_json": text, "fromjson": text}

// HasFactory reports the functions that are made for the types of their arguments.
func HasFactory(name string) bool {
	return factories[name] > 0 || name == "token" || masks[name].takes != nil || similarities[name] != nil
}

// Make makes the function of that name for the arguments; nil without error if
// there is no such factory. receiver may be nil.
// Source: Cassandra 5.0 FunctionFactory.getOrCreateFunction, CollectionFcts, AggregateFcts.
func Make(name string, args []Argument, receiver *types.Type) (*Function, error) {
	p := factories[name]
	switch {
	case masks[name].takes != nil:
		return mask(name, args, receiver)
	case similarities[name] != nil:
		return similarity(name, args, receiver)
	case p == 0:
		return nil, nil
	}
	signature := "system." + name + "(" + parameterNames[p] + ")"
	if len(args) != 1 {
		return nil, plan.Invalid("Invalid number of arguments for function %s", signature)
	}
	t := args[0].Type
	if t == nil && p == text {
		t = types.Text
	}
	if t == nil && p == anyType && !strings.HasPrefix(name, "to") {
		t = receiver
	}
	if t == nil {
		return nil, plan.Invalid("Cannot infer type of argument %s in call to function %s: use type casts to disambiguate", args[0].Text, signature)
	}
	if p == text && t.Kind != types.KindText && t.Kind != types.KindAscii {
		return nil, plan.Invalid("Function system.%s requires an argument of type text, but found argument %s of type %s", name, args[0].Text, t)
	}
	want := ""
	switch {
	case p == anyMap && (args[0].Desc || t.Kind != types.KindMap && t.Kind != types.KindUDT):
		want = "map"
	case p == anyCollection && (args[0].Desc || !t.IsCollection()):
		want = "collection"
	case p == setOrList && (args[0].Desc || t.Kind != types.KindSet && t.Kind != types.KindList):
		want = "set or list"
	case p == numericSetOrList && (args[0].Desc || t.Kind != types.KindSet && t.Kind != types.KindList || !t.Elems[0].IsNumeric()):
		want = "numeric set/list"
	}
	if want != "" {
		return nil, plan.Invalid("Function system.%s requires a %s argument, but found argument %s of type %s", name, want, args[0].Text, t)
	}
	f := &Function{Name: name, Args: []*types.Type{t}, Factory: true}
	switch name {
	case "from_json", "fromjson":
		return fromJSON(f, receiver)
	case "min", "max":
		f.Out, f.Aggregate = t, true
	case "to_json", "tojson":
		f.Out = types.Text
		f.Eval = func(_ *Context, a [][]byte) ([]byte, error) {
			if len(a[0]) == 0 && t.IsNative() && t.Kind != types.KindText && t.Kind != types.KindAscii && t.Kind != types.KindBlob {
				return []byte("null"), nil // an empty value is read as none
			}
			if fault := t.JSONFault(a[0]); fault != "" {
				return nil, plan.Fault(fault)
			}
			return []byte(t.JSON(a[0])), nil
		}
	default:
		if t.Kind == types.KindUDT {
			return nil, &plan.Error{Code: plan.ServerError, Message: "java.lang.ClassCastException"}
		}
		collection(f, t)
	}
	return f, nil
}

// fromJSON reads a value of the receiver's type.
// Source: Cassandra 5.0 FromJsonFct.
func fromJSON(f *Function, receiver *types.Type) (*Function, error) {
	if receiver == nil {
		return nil, plan.Invalid("%s() cannot be used in the selection clause of a SELECT statement", f.Name)
	}
	f.Args, f.Out = []*types.Type{types.Text}, receiver
	f.Eval = func(c *Context, args [][]byte) ([]byte, error) {
		if args[0] == nil {
			return nil, nil
		}
		v, err := types.ReadJSON(string(args[0]))
		if err != nil {
			return nil, &plan.Error{Code: plan.FunctionError, Keyspace: "system", Function: f.Name, Args: []string{"text"},
				Message: "execution of 'system." + f.Name + "[text]' failed: Could not decode JSON string '" + string(args[0]) + "': " + err.Error()}
		}
		b, err := receiver.FromJSON(v)
		if err == types.ErrNow {
			return types.EncodeInt64(c.Now() / 1000), nil
		}
		if fault, ok := err.(*types.Fault); ok {
			return nil, plan.Fault(fault.Msg)
		}
		if m, ok := err.(*types.MarshalError); ok && m.Request {
			return nil, plan.Invalid("%s", m.Msg)
		}
		if err != nil {
			return nil, &plan.Error{Code: plan.FunctionError, Keyspace: "system", Function: f.Name, Args: []string{"text"},
				Message: "org.apache.cassandra.serializers.MarshalException: " + err.Error()}
		}
		return b, nil
	}
	return f, nil
}

// collection fills in what a function of collections gives and does.
func collection(f *Function, t *types.Type) {
	f.Out = types.Int
	do := func(elems [][]byte) []byte { return types.EncodeInt32(int32(len(elems) / len(t.Elems))) }
	switch name := strings.TrimPrefix(f.Name, "collection_"); name {
	case "map_keys":
		f.Out = types.SetOf(t.Elems[0])
		do = func(kv [][]byte) []byte { return types.EncodeCollection(every2(kv, 0)) }
	case "map_values":
		f.Out = types.ListOf(t.Elems[1])
		do = func(kv [][]byte) []byte { return types.EncodeCollection(every2(kv, 1)) }
	case "min", "max", "sum", "avg":
		f.Out = t.Elems[0]
		do = func(elems [][]byte) []byte {
			a := NewAggregate(name, t.Elems[0], false)
			for _, e := range elems {
				a.Add(e)
			}
			return a.Result()
		}
	}
	f.Eval = func(_ *Context, args [][]byte) ([]byte, error) {
		if anyNull(args) {
			return nil, nil
		}
		elems, _ := types.DecodeCollection(args[0])
		if t.Kind == types.KindMap {
			elems, _ = types.DecodeMap(args[0])
		}
		return do(elems), nil
	}
}

func every2(kv [][]byte, from int) [][]byte {
	out := make([][]byte, 0, len(kv)/2)
	for i := from; i < len(kv); i += 2 {
		out = append(out, kv[i])
	}
	return out
}
