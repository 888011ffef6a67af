package cli

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"ringlab/engine/headless"
)

func reviewCommand(in io.Reader, out, errs io.Writer) *cobra.Command {
	var o headless.ReviewOptions
	c := &cobra.Command{
		Use:   "review SCHEMA.cql… | -",
		Short: "Review a schema: what will hurt, on what evidence, and what to do instead",
		Long: "Review a schema. Scripts run on a ring with the data centers that their keyspaces name; rows that they insert are measured. " +
			"A stress profile says how large partitions get and what is asked. `:review` does the same in a lab.",
		Args: minimum(1, "name the script of a schema, or - for standard input"),
		RunE: func(_ *cobra.Command, files []string) error {
			if o.Format != "md" && o.Format != "html" && o.Format != "json" {
				return usage{fmt.Errorf("--format is md, html or json, not %q", o.Format)}
			}
			failed, err := headless.Review(files, o, in, out, errs)
			if err == nil && failed {
				err = status(1)
			}
			return err
		},
	}
	c.Flags().StringVar(&o.Profile, "profile", "", "a user profile of cassandra-stress: expected sizes and queries")
	c.Flags().StringVar(&o.Format, "format", "md", "md, html or json")
	return c
}
