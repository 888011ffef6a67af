package headless

import (
	"io"
	"sync/atomic"

	"ringlab/engine/answer"
	"ringlab/engine/host"
)

// Stored makes a runner work on a workspace: what it prints appears once the
// command is safe on disk, while the next ones run already. The run ends at the
// first answer that cannot be stored or printed.
func Stored(r *Runner, s *host.Store, out, errs io.Writer) {
	var receipt *host.Receipt
	var broken atomic.Pointer[error] // what kept an answer from being printed
	r.Expand = func() bool { return s.Lab.Expand() }
	r.Do = func(text, file string, line int) ([]*answer.Answer, error) {
		if err := s.Failed(); err != nil {
			return nil, err
		}
		if err := broken.Load(); err != nil {
			return nil, *err
		}
		s.Lab.Place(file, line)
		answers, rc := s.Run(text)
		receipt = &rc
		if len(answers) == 0 { // inside of :together nothing is answered yet
			s.Commit(rc, func(error) {})
			receipt = nil
		}
		return answers, nil
	}
	r.Deliver = func(text, complaints []byte) error {
		if receipt == nil {
			if err := s.Flush(); err != nil {
				return err
			}
			return Write(out, errs, text, complaints)
		}
		rc := *receipt
		receipt = nil
		s.Commit(rc, func(err error) {
			if err != nil {
				return
			}
			if err := Write(out, errs, text, complaints); err != nil {
				broken.CompareAndSwap(nil, &err)
			}
		})
		return nil
	}
	r.Finish = func() error {
		err := s.Flush()
		if e := broken.Load(); err == nil && e != nil {
			err = *e
		}
		return err
	}
}
