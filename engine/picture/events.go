package picture

import (
	"strings"

	"ringlab/engine/event"
	"ringlab/engine/view"
)

// mostEvents is how many events are shown.
const mostEvents = 1000

// events lists the newest events that the filter takes.
func (p *Painter) events(v *view.View, need view.Need) {
	log, name := &p.core.Recorder.Log, p.core.Cluster.Name
	v.Events = &view.Events{Seen: log.Seen, Filter: need.EventFilter}
	f, err := event.ParseFilter(need.EventFilter, p.core.NodeNamed)
	if err != nil {
		v.Events.Err = err.Error()
		return
	}
	for _, r := range log.Last(mostEvents, f, name) {
		kind := r.Kind.String()
		v.Events.Rows = append(v.Events.Rows, view.Event{At: int64(r.At), Node: name(r.Node), Kind: kind, Op: int(r.Op),
			Detail: strings.TrimSpace(strings.TrimPrefix(r.Line(name), kind))})
	}
}
