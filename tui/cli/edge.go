package cli

import (
	"bytes"
	"fmt"
	"strings"

	"ringlab/engine/admin"
	"ringlab/engine/answer"
	"ringlab/engine/host"
	"ringlab/engine/verify"
)

// edge has :verify done here, and everything else by rest.
func edge(store *host.Store, rest host.Edge) host.Edge {
	return func(name string, a admin.Args) ([]*answer.Answer, error) {
		if name != "verify" {
			return rest(name, a)
		}
		words := a.Without("keep")
		if len(words) != 1 {
			return nil, fmt.Errorf(":verify names the real cluster: `:verify 127.0.0.1:9042`")
		}
		if err := store.Flush(); err != nil {
			return nil, err
		}
		var script, out bytes.Buffer
		if _, err := store.Script(&script); err != nil {
			return nil, err
		}
		_, text, _ := strings.Cut(script.String(), "\n:ring new") // the cluster has its own
		_, text, _ = strings.Cut(text, "\n")
		o := verify.Options{Target: verify.Target{Address: words[0]}, Keep: a.Has("keep"), Out: &out}
		o.Target.User, o.Target.Password, _ = strings.Cut(a.Named["user"], ":")
		o.Went = func(done int) bool { return store.Progress(admin.Progress{What: "verify", Done: done}) }
		outcome, err := verify.Scripts(o, []verify.Script{{Name: "journal", Text: text}})
		if err != nil {
			return nil, err
		}
		return []*answer.Answer{{Message: out.String() + outcome.String()}}, nil
	}
}
