// Package types knows the values of CQL: their types, bytes, order, literals and
// texts. It is pure: no clock, no input or output, no changing global state.
//
// A value is the byte slice that Cassandra stores and sends. A nil slice is null
// and is the caller's matter; an empty slice is the empty value, which most
// types allow beside their real values. One *Type describes a type; native types
// are package variables, the others come from ListOf, MapOf, UDTOf and so on.
package types
