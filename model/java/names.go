package java

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

// What there is in Java 17 and in Cassandra beyond this package's library: the
// public classes of three packages, and for each class of the library its methods
// with their number of overloads, and its fields. It tells a mistake from a limit.
//
//go:embed names.txt
var namesText string

type knownNames struct {
	classes map[string]bool           // java.lang.Thread
	members map[string]map[string]int // by full name: overloads of a method, .field
}

var known = sync.OnceValue(func() knownNames {
	k := knownNames{map[string]bool{}, map[string]map[string]int{}}
	for _, line := range strings.Split(strings.TrimSpace(namesText), "\n") {
		words := strings.Fields(line)
		if words[0] == "package" {
			for _, w := range words[2:] {
				k.classes[words[1]+"."+w] = true
			}
			continue
		}
		m := map[string]int{}
		for _, w := range words[2:] {
			name, n, _ := strings.Cut(w, "/")
			m[name], _ = strconv.Atoi(n)
			if n == "" {
				m[name] = 1
			}
		}
		k.members[words[1]] = m
	}
	return k
})

// unseen are classes that Cassandra hides from bodies, besides whole packages.
// Source: Cassandra 5.0 UDFunction.disallowedPatterns.
const unseen = " Compiler InheritableThreadLocal Package Process ProcessBuilder Runnable Runtime Thread ThreadGroup ThreadLocal ServiceLoader Timer "

// hidden says whether a class of Java that is not in the library could be used in
// Cassandra.
func usable(full string) bool {
	for _, p := range []string{"java.lang.instrument.", "java.lang.invoke.", "java.lang.management.", "java.lang.ref.", "java.lang.reflect.", "java.util.concurrent.",
		"java.util.function.", "java.util.jar.", "java.util.logging.", "java.util.prefs.", "java.util.spi.", "java.util.stream.", "java.util.zip."} {
		if strings.HasPrefix(full, p) {
			return false
		}
	}
	i := strings.LastIndexByte(full, '.')
	if i < 0 || strings.Contains(unseen, " "+full[i+1:]+" ") {
		return false
	}
	if known().classes[full] {
		return true
	}
	switch pkg := full[:i]; pkg {
	case "java.lang", "java.util", "java.math":
		return false
	case "java.text", "java.time", "java.time.format", "java.time.temporal", "java.util.regex", "org.apache.cassandra.cql3.functions.types":
		return true
	}
	return false
}

// missing says what is to be said of a method that the library does not have: the
// overloads that there are in Java, -1 where that is not known.
func (c *class) overloads(name string) int {
	n, seen := 0, false
	if m := known().members[c.full]; m != nil {
		seen = true
		n = max(n, m[name])
	}
	for _, s := range c.supers {
		if k := s.class.overloads(name); k > n {
			n, seen = k, true
		} else if k == 0 {
			seen = true
		}
	}
	if n == 0 && !seen && c.name != "Object" {
		return -1
	}
	if c.kind == "interface" && n == 0 {
		n = known().members["java.lang.Object"][name]
	}
	return n
}
