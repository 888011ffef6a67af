package admin

// What is named already, so that nothing is mistaken for a misspelling, but
// does not work yet.
func init() {
	later := func(group string, list ...[2]string) {
		for _, c := range list {
			register(&Command{Name: c[0], Group: group, Help: c[1]})
		}
	}
	later("edges", [2]string{"serve", "`ringlab serve` lets drivers connect, but not to the workbench"}, [2]string{"clients", "`SELECT * FROM system_views.clients` lists the connections of `ringlab serve`"}, [2]string{"verify", "no real node can be asked"})
}
