// Package java compiles and runs the bodies of user-defined functions: the part
// of Java 11 that they use, over values of CQL types. It is an interpreter without
// clock, randomness, threads or input and output: equal arguments give equal
// results, and every call ends within a limit of steps and memory.
//
// What Cassandra's compiler refuses is refused in its words, where they are simple
// (CompileError). What it takes and this package does not know is refused when the
// function is made, naming the construct (Limit): nothing is computed by guess.
// Source: Cassandra 5.0 JavaBasedUDFunction, UDFByteCodeVerifier; the compiler is
// Eclipse's.
package java
