package query

import (
	"cmp"
	"container/heap"
	"slices"

	"ringlab/model/plan"
)

// ranked is what ORDER BY … ANN OF knows of one row of the answer.
type ranked struct {
	at     int // row
	score  float32
	vector string
	first  int64 // write timestamp of the vector
}

func (r *Runner) rank(a *plan.ANN, row *Row) {
	v := ranked{at: len(r.ranks), vector: string(row.value(a.Column))}
	v.score = a.Score([]byte(v.vector))
	if cells := row.cells(a.Column); len(cells) > 0 {
		v.first = cells[0].Timestamp
	}
	r.ranks = append(r.ranks, v)
}

// best are the rows of the answer in its order: the best scores first, and rows
// of one score as they were read. Scores are exact, where the graph of a real
// index may miss a row; but of equal scores at the limit those are kept that
// Cassandra keeps, in two steps: the graph gives the vectors that were written
// first, unless so few rows are asked that all of them are ranked, and a queue
// of the best rows gives up the one at its head.
// Source: Cassandra 5.0 VectorMemoryIndex, OnHeapGraph, VectorTopKProcessor.
func (r *Runner) best() []int {
	rows, limit := r.ranks, r.sel.Limit
	if r.sel.ANN.Graph || len(rows) > bruteForce*limit {
		rows = nearest(rows, limit)
	}
	var top queue
	for _, row := range rows {
		heap.Push(&top, row)
		if len(top) > limit {
			heap.Pop(&top)
		}
	}
	slices.SortFunc(top, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at)) })
	order := make([]int, len(top))
	for i := range top {
		order[i] = top[i].at
	}
	return order
}

// bruteForce is how many times the limit rows are ranked without the graph: a
// quarter of 16 connections a node. Source: Cassandra 5.0 VectorMemoryIndex.maxBruteForceRows.
const bruteForce = 4

// nearest keeps the rows of the best vectors, at most that many vectors; of equal
// ones those that were written first.
func nearest(rows []ranked, limit int) []ranked {
	seen := map[string]int{} // vector -> place in vectors
	var vectors []ranked
	for _, row := range rows {
		i, again := seen[row.vector]
		if !again {
			seen[row.vector] = len(vectors)
			vectors = append(vectors, row)
		} else if row.first < vectors[i].first {
			vectors[i].first = row.first
		}
	}
	slices.SortStableFunc(vectors, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.first, b.first)) })
	keep := map[string]bool{}
	for _, v := range vectors[:min(limit, len(vectors))] {
		keep[v.vector] = true
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row ranked) bool { return !keep[row.vector] })
}

// queue is a heap with the worst row at its head.
type queue []ranked

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i].score < q[j].score }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(ranked)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
