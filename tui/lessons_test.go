package tui

import (
	"path/filepath"
	"testing"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/host"
	"ringlab/scenarios"
)

// TestLessonsGoWellInTheGuide runs every block of every lesson as the guide
// does, on a workspace of its own: each must be marked as done.
func TestLessonsGoWellInTheGuide(t *testing.T) {
	for _, s := range scenarios.List() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			store, err := host.Open(filepath.Join(t.TempDir(), "lab.ringlab"), host.OpenOptions{Record: true, Epoch: engine.DefaultEpoch})
			if err != nil {
				t.Fatal(err)
			}
			lab := host.New(store)
			defer lab.Close()
			p := &guidePane{best: map[string]string{}}
			p.load(s, 0)
			for step := range s.Steps {
				p.load(s, step)
				for p.nextBlock() >= 0 {
					id := p.id(step, p.nextBlock())
					action, _ := p.run()
					var got []answer.Answer
					for a := range lab.Do(action.Job.text) {
						got = append(got, a)
						action.Job.answers(a)
					}
					action.Job.done()
					if p.marks[id] == 'v' {
						continue
					}
					for _, a := range got {
						if a.Error != nil {
							t.Logf("%s: %s", a.Statement, a.Error.Message)
						}
					}
					t.Fatalf("block %s of step %q is not done", id, s.Steps[step].Title)
				}
				if len(p.open.Steps[step].Parts) > 0 && p.count("lab")+p.count("cql") > 0 && !p.done(step) {
					t.Errorf("step %q is not ticked off", s.Steps[step].Title)
				}
			}
		})
	}
}
