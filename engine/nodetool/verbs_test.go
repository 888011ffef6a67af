package nodetool_test

import (
	"os"
	"strings"
	"testing"

	"ringlab/engine"
)

// Every command of nodetool 5.0.5, of testdata/verbs.txt, is done or refused by
// its name with what to do instead; none is taken for a misspelling.
func TestEveryVerbIsKnown(t *testing.T) {
	text, err := os.ReadFile("testdata/verbs.txt")
	if err != nil {
		t.Fatal(err)
	}
	lab, err := engine.New(engine.Options{Ring: "dc1=1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range strings.Fields(string(text)) {
		for _, a := range lab.Do("nodetool " + verb) {
			if a.Error == nil {
				continue
			}
			m := a.Error.Message
			if strings.HasPrefix(m, "nodetool: Found unexpected parameters") {
				t.Errorf("%s is not known", verb)
			}
			if instead, ok := strings.CutPrefix(m, "ringlab does not support nodetool "+verb+"; "); ok && len(instead) < 5 {
				t.Errorf("%s is refused without a way around: %s", verb, m)
			}
		}
	}
}
