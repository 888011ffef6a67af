package host

import (
	"fmt"

	"ringlab/engine/answer"
	"ringlab/engine/session"
	"ringlab/engine/timeline"
	"ringlab/engine/workspace"
)

// Request runs what a driver asks for, as Run runs a command.
func (s *Store) Request(r *session.Request) (*session.Reply, Receipt) {
	var rc Receipt
	branch := s.tree.Current().Name
	if branch == timeline.Main {
		branch = ""
	}
	e := workspace.Entry{At: s.Lab.Now(), Client: r.Client, Branch: branch}
	s.inputs = inputs{}
	r.Text = s.Lab.Core().Conceal(r.Text)
	reply := s.Lab.Request(r)
	answers := []*answer.Answer{reply.Answer}
	if passed := e.At - s.lastAt; passed > 0 {
		s.keep(&rc, workspace.Entry{At: s.lastAt, Kind: idle, Branch: branch, Text: fmt.Sprintf(":advance %dus", passed)}, nil)
	}
	e.Text = string(r.Append(append(make([]byte, 0, 256), ":request "...), s.Lab.Core().Cluster.Name(r.Node)))
	e.Hash = s.hash(answers)
	s.lastAt, s.last, s.loose, s.moved = s.Lab.Now(), e.Text, false, nil
	s.keep(&rc, e, answers)
	return reply, rc
}
