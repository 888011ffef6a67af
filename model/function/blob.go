package function

import (
	"encoding/hex"

	"ringlab/model/plan"
	"ringlab/model/types"
)

// addBlobs declares x_as_blob and blob_as_x for every native type but blob,
// varchar as well as text. Source: Cassandra 5.0 BytesConversionFcts.
func addBlobs(add func(*Function, ...string)) {
	for _, t := range types.Natives() {
		if t == types.Blob {
			continue
		}
		names := []string{t.String()}
		if t == types.Text {
			names = append(names, "varchar")
		}
		for _, n := range names {
			add(&Function{Name: n + "_as_blob", Args: []*types.Type{t}, Out: types.Blob,
				Eval: func(_ *Context, args [][]byte) ([]byte, error) { return args[0], nil }}, n+"asblob")
			from := func(name string) *Function {
				return &Function{Name: name, Args: []*types.Type{types.Blob}, Out: t, Eval: func(_ *Context, args [][]byte) ([]byte, error) {
					if args[0] != nil && t.Validate(args[0]) != nil {
						return nil, plan.Invalid("In call to function system.%s, value 0x%s is not a valid binary representation for type %s",
							name, hex.EncodeToString(args[0]), n)
					}
					return args[0], nil
				}}
			}
			add(from("blob_as_" + n))
			add(from("blobas" + n))
		}
	}
}
