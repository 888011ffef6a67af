package headless

import (
	"fmt"
	"strings"

	"ringlab/engine"
	"ringlab/engine/answer"
	"ringlab/engine/event"
	"ringlab/engine/host"
)

// LabOptions are the flags that make a lab for a run without a screen.
type LabOptions struct {
	Ring    string
	Seed    uint64
	HasSeed bool // --seed was given
	Trace   bool
	Events  string // kinds joined by commas, "all", or ""
}

// RingText is the ring that the flags ask for.
func (o LabOptions) RingText() string {
	text := o.Ring
	if o.HasSeed {
		text = strings.TrimSpace(text + fmt.Sprintf(" seed=%d", o.Seed))
	}
	return text
}

// NewLab makes a lab that nothing is stored of.
func NewLab(o LabOptions) (*engine.Lab, error) {
	lab, err := engine.New(engine.Options{Ring: o.RingText()})
	if err != nil {
		return nil, err
	}
	return lab, Watch(lab, o)
}

// Watch turns on what the flags ask for.
func Watch(lab *engine.Lab, o LabOptions) error {
	lab.Trace(o.Trace)
	if o.Events == "" {
		return nil
	}
	var kinds []event.Kind
	if o.Events != "all" {
		for _, name := range strings.Split(o.Events, ",") {
			k, ok := event.ParseKind(strings.TrimSpace(name))
			if !ok {
				return fmt.Errorf("there is no kind of event %q; the kinds are all, %s", name, strings.Join(event.Kinds(), ", "))
			}
			kinds = append(kinds, k)
		}
	}
	lab.Events(kinds...)
	return nil
}

// Direct runs commands on a lab without a workspace, whose journal ends with the
// process. Expand says whether results are shown row by row now.
func Direct(lab *engine.Lab) (do func(text, file string, line int) ([]*answer.Answer, error), expand func() bool) {
	s := host.Memory(lab)
	do = func(text, file string, line int) ([]*answer.Answer, error) {
		s.Lab.Place(file, line)
		answers, _ := s.Run(text)
		return answers, nil
	}
	return do, func() bool { return s.Lab.Expand() }
}
