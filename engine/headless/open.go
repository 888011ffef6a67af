package headless

import (
	"ringlab/engine/host"
	"ringlab/engine/script"
)

// open runs a script in an empty lab, on a branch of its own.
func (r *Runner) open(from string, it script.Item) error {
	file, err := host.Opened(it.Text)
	if err != nil {
		return r.complain(from, it, err.Error())
	}
	if err := r.command(from, it); err != nil {
		return err
	}
	if r.held != nil { // the branch could not be begun, and the file is not run
		return nil
	}
	it.Text = "SOURCE '" + file + "'"
	return r.source(from, it)
}
