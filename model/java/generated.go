package java

import (
	"fmt"
	"hash/fnv"
	"strings"

	"ringlab/model/types"
)

const generatedHead = `/**
 * Licensed to the Apache Software Foundation (ASF) under one or more
 * contributor license agreements.  See the NOTICE file distributed with
 * this work for additional information regarding copyright ownership.
 * The ASF licenses this file to You under the Apache License, Version 2.0
 * (the "License"); you may not use this file except in compliance with
 * the License.  You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
**/

package org.apache.cassandra.cql3.udf.gen.%[1]s;

import java.nio.ByteBuffer;
import java.util.*;

import org.apache.cassandra.cql3.functions.JavaUDF;
import org.apache.cassandra.cql3.functions.Arguments;
import org.apache.cassandra.cql3.functions.UDFDataType;
import org.apache.cassandra.cql3.functions.UDFContext;
import org.apache.cassandra.transport.ProtocolVersion;

import org.apache.cassandra.cql3.functions.types.TupleValue;
import org.apache.cassandra.cql3.functions.types.UDTValue;

public final class %[2]s extends JavaUDF
{
    public %[2]s(UDFDataType returnType, UDFContext udfContext)
    {
        super(returnType, udfContext);
    }

    protected ByteBuffer executeImpl(Arguments arguments)
    {
        %[3]s result = %[4]s(
                    %[5]s
        );
        return decompose(arguments.getProtocolVersion(),  result);
    }

    protected Object executeAggregateImpl(Object state, Arguments arguments)
    {
        %[3]s result = %[4]s(
            %[6]s
        );
        return result;
    }

    private %[3]s %[4]s(%[7]s)
    {
`

// generatedName is a name that Cassandra makes for what it generates. Its random
// number and its counter are not random here.
// Source: Cassandra 5.0 JavaBasedUDFunction.generateClassName.
func generatedName(prefix, keyspace, name string, n int) string {
	var b strings.Builder
	b.WriteString(prefix)
	for _, r := range keyspace + "." + name {
		if r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "%x", r)
		}
	}
	h := fnv.New32a()
	h.Write([]byte(b.String()))
	return fmt.Sprintf("%s_%d_%d", b.String(), h.Sum32()&0xffffff, n)
}

func (c *compiler) className() string { return generatedName("C", c.fn.on.Keyspace, c.function, 2) }

// generatedType is a type in the generated source.
func generatedType(t *Type) string {
	if t.kind != kClass {
		return t.name
	}
	name := t.class.name
	if t.class.full != "java.lang."+name {
		name = t.class.full
	}
	if len(t.args) == 0 {
		return name
	}
	args := make([]string, len(t.args))
	for i, a := range t.args {
		args[i] = generatedType(a)
	}
	return name + "<" + strings.Join(args, ", ") + ">"
}

// generatedError complains that the end of a body is reached without a result: its
// place is the end of the method around it, and all the source follows.
func generatedError(name, src string, on *Context, called bool, ret *Type) (problem, source string) {
	argument := func(t *types.Type, i int) string {
		j := typeOf(t, !called)
		get := "get"
		if j.primitive() {
			get += "As" + strings.ToUpper(j.name[:1]) + j.name[1:]
		}
		return fmt.Sprintf("(%s) arguments.%s(%d)", generatedType(j), get, i)
	}
	var direct, folded, params []string
	for i, t := range on.Args {
		direct = append(direct, argument(t, i))
		if i == 0 {
			folded = append(folded, "("+generatedType(typeOf(t, !called))+") state")
		} else {
			folded = append(folded, argument(t, i-1))
		}
		params = append(params, generatedType(typeOf(t, !called))+" "+on.Names[i])
	}
	const between = ",\n            "
	head := fmt.Sprintf(generatedHead, generatedName("p", on.Keyspace, name, 1), generatedName("C", on.Keyspace, name, 2), generatedType(ret),
		generatedName("x", on.Keyspace, name, 3), strings.Join(direct, between), strings.Join(folded, between), strings.Join(params, ", "))
	line := strings.Count(head+src, "\n") - 1 // as the compiler counts
	problem = fmt.Sprintf("GENERATED SOURCE ERROR: line %d (in generated source): This method must return a result of type %s\n", line, ret)
	return problem, "\n generated source:\n" + head + src + "\n    }\n}\n"
}

// diamond refuses new T<>(): for the collections of Java, Cassandra's compiler
// looks for types that it hides, and does not find them.
func (c *compiler) diamond(t *Type) {
	panic(&Limit{"new " + t.class.name + "<>(), which Cassandra's compiler does not take either for the collections of Java (new " + t.class.name + "<" + strings.Join(t.class.params, ", ") + ">() with types is),"})
}
