package headless

import (
	"ringlab/engine/host"
	"ringlab/engine/script"
)

// open runs a script in an empty lab, on a branch of its own.
func (r *Runner) open(from string, it script.Item) error {
	if r.Output == Lab {
		if _, err := r.out.WriteString(it.Text + "\n\n"); err != nil {
			return err
		}
	}
	r.opening++
	defer func() { r.opening-- }()
	if err := r.command(from, it); err != nil {
		return err
	}
	if r.held != nil { // the branch could not be begun, and the file is not run
		return nil
	}
	it.Text = "SOURCE '" + host.OpenedFile(it.Text) + "'"
	return r.source(from, it)
}
