package classic

// early says whether the client speaks as that of 1.0: of columns where later ones
// speak of cells, without what 1.0 does not have. Its lines about caches are left
// out: their sizes by column family are not modelled.
// Source: Cassandra 1.0 CliClient.doSlice, executeDelete, executeCount, executeList, describeColumnFamily, executeDescribeCluster.
func (r *run) early() bool { return r.core.Cluster.Set.Classic == "1.0" }

// either is the word of 1.0, or that of 2.1.
func (r *run) either(early, later string) string {
	if r.early() {
		return early
	}
	return later
}
