// Package stress generates the load of a cassandra-stress user profile: a
// profile's text and a table go in, operations with bound values come out. It
// knows no cluster and reads no clock.
//
// Values are those of cassandra-stress 5.0, byte by byte: they follow from the
// seed of a partition, the name of the column and its distributions, so that the
// same profile fills a real cluster and a lab alike. What cassandra-stress draws
// without a seed (which operation comes next, which rows a select ratio takes,
// how many partitions a batch has, and the seeds themselves where they come from
// a distribution) follows from the lab's seed here; what of a value is concerned
// is listed by Own.
package stress
