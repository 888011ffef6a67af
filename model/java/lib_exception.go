package java

import "strings"

// exceptions are the classes that bodies throw and catch, with their parents.
var exceptions = strings.Fields(`
	java.lang.Throwable:Object java.lang.Exception:Throwable java.lang.Error:Throwable java.lang.RuntimeException:Exception
	java.lang.IllegalArgumentException:RuntimeException java.lang.IllegalStateException:RuntimeException java.lang.ArithmeticException:RuntimeException
	java.lang.NullPointerException:RuntimeException java.lang.ClassCastException:RuntimeException java.lang.IndexOutOfBoundsException:RuntimeException
	java.lang.ArrayIndexOutOfBoundsException:IndexOutOfBoundsException java.lang.StringIndexOutOfBoundsException:IndexOutOfBoundsException
	java.lang.NumberFormatException:IllegalArgumentException java.lang.UnsupportedOperationException:RuntimeException
	java.lang.NegativeArraySizeException:RuntimeException java.lang.ArrayStoreException:RuntimeException java.lang.CloneNotSupportedException:Exception
	java.lang.InterruptedException:Exception java.lang.AssertionError:Error java.lang.StackOverflowError:Error
	java.util.NoSuchElementException:RuntimeException java.util.ConcurrentModificationException:RuntimeException java.util.EmptyStackException:RuntimeException
	java.util.InputMismatchException:NoSuchElementException
	java.util.IllegalFormatException:IllegalArgumentException java.util.UnknownFormatConversionException:IllegalFormatException
	java.util.MissingFormatArgumentException:IllegalFormatException java.util.IllegalFormatConversionException:IllegalFormatException
	java.util.IllegalFormatPrecisionException:IllegalFormatException
	java.nio.BufferUnderflowException:RuntimeException java.nio.BufferOverflowException:RuntimeException
	org.apache.cassandra.cql3.functions.types.exceptions.DriverException:RuntimeException
	org.apache.cassandra.cql3.functions.types.exceptions.InvalidTypeException:DriverException
	org.apache.cassandra.cql3.functions.types.exceptions.CodecNotFoundException:DriverException`)

func exceptionClasses() []declared {
	var out []declared
	for _, e := range exceptions {
		full, parent, _ := strings.Cut(e, ":")
		name := full[strings.LastIndexByte(full, '.')+1:]
		ms := members{}
		if name == "Throwable" {
			ms = members{
				"String getMessage()":          func(_ *machine, a []any) any { return a[0].(*throwable).msg },
				"String getLocalizedMessage()": func(_ *machine, a []any) any { return a[0].(*throwable).msg },
				"Throwable getCause()": func(_ *machine, a []any) any {
					if c := a[0].(*throwable).cause; c != nil {
						return c
					}
					return nil
				},
			}
		}
		if !strings.Contains(name, "Format") && !strings.Contains(full, "cassandra") || name == "NumberFormatException" {
			throwableMakers(ms, name)
		}
		head := "class " + full
		if parent != "Object" {
			head += " : " + parent
		}
		out = append(out, declared{head: head, methods: ms})
	}
	return out
}

// bareExceptions have no constructor with a cause.
const bareExceptions = " ArithmeticException NullPointerException ClassCastException IndexOutOfBoundsException ArrayIndexOutOfBoundsException StringIndexOutOfBoundsException NumberFormatException NegativeArraySizeException ArrayStoreException CloneNotSupportedException InterruptedException StackOverflowError EmptyStackException InputMismatchException BufferUnderflowException BufferOverflowException "

func throwableMakers(ms members, name string) {
	made := func(m *machine) *throwable { m.alloc(2); return &throwable{class: classNamed(name)} }
	causeOf := func(v any) *throwable { c, _ := v.(*throwable); return c }
	ms[name+"()"] = func(m *machine, _ []any) any { return made(m) }
	if strings.HasPrefix(name, "Buffer") || name == "EmptyStackException" {
		return
	}
	if name == "AssertionError" {
		ms[name+"(Object)"] = func(m *machine, a []any) any {
			t := made(m)
			t.msg = m.toText(a[0])
			return t
		}
		return
	}
	ms[name+"(String)"] = func(m *machine, a []any) any {
		t := made(m)
		t.msg = a[0]
		return t
	}
	if strings.Contains(bareExceptions, " "+name+" ") {
		return
	}
	ms[name+"(String, Throwable)"] = func(m *machine, a []any) any {
		t := made(m)
		t.msg, t.cause = a[0], causeOf(a[1])
		return t
	}
	ms[name+"(Throwable)"] = func(m *machine, a []any) any {
		t := made(m)
		if t.cause = causeOf(a[0]); t.cause != nil {
			t.msg = t.cause.String()
		}
		return t
	}
}
