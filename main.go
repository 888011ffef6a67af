// Ringlab is a terminal workbench for Cassandra data modeling: a simulated ring
// of many nodes, CQL, and a look into everything that happens.
package main

import (
	"os"

	"ringlab/tui/cli"
)

func main() { os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
