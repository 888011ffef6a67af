package bind

import (
	"ringlab/model/plan"
	"ringlab/model/types"
)

// javaClass is the class that Cassandra has for a term whose value is not known
// yet, without the package org.apache.cassandra.cql3.
// Source: Cassandra 5.0 AbstractMarker.Raw.prepare and the DelayedValue classes.
func (l *later) javaClass() string {
	of := func(t *types.Type) string {
		switch t.Kind {
		case types.KindList:
			return "Lists"
		case types.KindSet:
			return "Sets"
		case types.KindMap:
			return "Maps"
		case types.KindUDT:
			return "UserTypes"
		}
		return "Constants"
	}
	switch l.kind {
	case marker:
		return of(l.spec.typ) + "$Marker"
	case callLater:
		return "functions.FunctionCall"
	case tupleLater:
		return "Tuples$DelayedValue"
	case vectorLater:
		return "Vectors$DelayedValue"
	}
	return of(l.spec.typ) + "$DelayedValue"
}

// notTerminal is the internal error of Cassandra where only a known value can
// stand: writetime(m[?]).
// Source: Cassandra 5.0 ElementsSelector.newElementFactory.
func (l *later) notTerminal() error {
	const terminal = "org.apache.cassandra.cql3.Term$Terminal"
	class := "org.apache.cassandra.cql3." + l.javaClass()
	return &plan.Error{Code: plan.ServerError, Message: "java.lang.ClassCastException: class " + class + " cannot be cast to class " + terminal +
		" (" + class + " and " + terminal + " are in unnamed module of loader 'app')"}
}
