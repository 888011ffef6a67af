package admin

import "ringlab/engine/cluster"

// What nodes send each other in streams is limited beside what compactions read.
func init() {
	settings["stream_throughput_outbound"] = numberSetting(1<<20, func(s *cluster.Settings) *int64 { return &s.StreamThroughput })
	settings["inter_dc_stream_throughput_outbound"] = numberSetting(1<<20, func(s *cluster.Settings) *int64 { return &s.InterDCStreamThroughput })
}
