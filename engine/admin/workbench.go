package admin

import (
	"fmt"

	"ringlab/engine/answer"
)

// Commands of the workbench, with its screen and without: it takes them before they get here.
func init() {
	for _, c := range []*Command{
		{Name: "scenario", Usage: "[NAME | FILE.md]", Help: "open a lesson in the guide; a file is read again whenever it is saved"},
		{Name: "next", Help: "the next step of the open lesson"},
		{Name: "goto", Usage: "STEP", Help: "a step of the open lesson"},
		{Name: "clue", Help: "the next clue of the step; it counts"},
		{Name: "answer", Usage: "[N]", Help: "predict option N of the step's question; alone: show the answer"},
	} {
		c.Group, c.Run = "teaching", onlyWorkbench(c.Name, "`ringlab scenario run NAME` runs a lesson without a screen")
		register(c)
	}
}

// onlyWorkbench refuses what only the workbench can do, with the way around it.
func onlyWorkbench(name, around string) func(*Context, Args) ([]*answer.Answer, error) {
	return func(*Context, Args) ([]*answer.Answer, error) {
		return nil, fmt.Errorf(":%s is for the workbench; %s", name, around)
	}
}
