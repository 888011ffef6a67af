package host

import (
	"fmt"
	"os"
	"strings"

	"ringlab/engine/answer"
	"ringlab/engine/render"
	"ringlab/engine/script"
)

// Capture is cqlsh's CAPTURE: while it is on, results go to the end of a file
// instead of the screen. The zero value is off. Source: cqlsh 6.2 Shell.do_capture.
type Capture struct {
	name string
	file *os.File
}

// IsCapture says whether an item is a CAPTURE.
func IsCapture(it script.Item) bool {
	word, _, _ := strings.Cut(it.Text, " ")
	return it.Kind == script.Shell && strings.EqualFold(word, "CAPTURE")
}

// Command runs a CAPTURE.
func (c *Capture) Command(text string) *answer.Answer {
	a := &answer.Answer{Statement: text}
	fail := func(format string, args ...any) *answer.Answer {
		a.Error = &answer.Error{Name: "CommandError", Message: fmt.Sprintf(format, args...)}
		return a
	}
	_, arg, _ := strings.Cut(text, " ")
	arg = strings.TrimSpace(arg)
	quoted := len(arg) > 2 && arg[0] == '\'' && arg[len(arg)-1] == '\''
	switch {
	case arg == "" && c.file == nil:
		a.Message = "Currently not capturing query output."
	case arg == "":
		a.Message = "Currently capturing query output to '" + c.name + "'."
	case strings.EqualFold(arg, "OFF") && c.file == nil:
		return fail("Not currently capturing output.")
	case strings.EqualFold(arg, "OFF"):
		err := c.Close()
		if err != nil {
			return fail("Could not write '%s': %s", c.name, reason(err))
		}
	case !quoted:
		return fail("Improper CAPTURE command.")
	case c.file != nil:
		return fail("Already capturing output to %s. Use CAPTURE OFF to disable.", c.name)
	default:
		name := home(strings.ReplaceAll(arg[1:len(arg)-1], "''", "'"))
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
		if err != nil {
			return fail("Could not open '%s' for append: %s", name, reason(err))
		}
		c.name, c.file = name, f
		a.Message = "Now capturing query output to '" + name + "'."
	}
	return a
}

// Take gives what of an answer is still to be shown: all of it, or, while
// capturing, no result. An error of writing ends the capture and is the answer's.
func (c *Capture) Take(a *answer.Answer, expand bool) *answer.Answer {
	if c.file == nil || a.Columns == nil {
		return a
	}
	rest := *a
	rest.Columns, rest.Rows, rest.Warnings, rest.Trace = nil, nil, nil, nil
	rest.Describe, rest.More = false, false
	text := render.Table(a, expand)
	if len(a.Trace) > 0 {
		text += render.Trace(a)
	}
	if _, err := c.file.WriteString(text); err != nil {
		c.Close()
		rest.Error = &answer.Error{Name: "CommandError", Message: fmt.Sprintf("Could not write '%s': %s", c.name, reason(err))}
	}
	return &rest
}

// Close ends a capture, if there is one.
func (c *Capture) Close() error {
	if c.file == nil {
		return nil
	}
	err := c.file.Close()
	c.file = nil
	return err
}
