package function

import (
	"math"
	"strings"
	"time"

	"ringlab/model/plan"
	"ringlab/model/types"
)

const millisPerDay = 24 * 60 * 60 * 1000

// addTimes declares the clock, the conversions between temporal types, and
// floor. Source: Cassandra 5.0 TimeFcts, UuidFcts.
func addTimes(add func(*Function, ...string)) {
	clock := func(name string, out *types.Type, legacy ...string) {
		add(&Function{Name: name, Out: out, Impure: true, Eval: func(c *Context, _ [][]byte) ([]byte, error) { return now(c, out), nil }}, legacy...)
	}
	clock("now", types.TimeUUID)
	clock("current_timeuuid", types.TimeUUID, "currenttimeuuid")
	clock("current_timestamp", types.Timestamp, "currenttimestamp")
	clock("current_date", types.Date, "currentdate")
	clock("current_time", types.Time, "currenttime")
	add(&Function{Name: "uuid", Out: types.UUID, Impure: true, Eval: func(c *Context, _ [][]byte) ([]byte, error) {
		id := c.NewID()
		return id[:], nil
	}})
	convert := func(name, legacy string, in, out *types.Type, eval func(ms int64) []byte) {
		add(&Function{Name: name, Args: []*types.Type{in}, Out: out, Eval: func(_ *Context, args [][]byte) ([]byte, error) {
			if len(args[0]) == 0 {
				return nil, nil
			}
			return eval(millisOf(in, args[0])), nil
		}}, legacy)
	}
	convert("min_timeuuid", "mintimeuuid", types.Timestamp, types.TimeUUID, types.MinTimeUUID)
	convert("max_timeuuid", "maxtimeuuid", types.Timestamp, types.TimeUUID, types.MaxTimeUUID)
	for _, in := range []*types.Type{types.TimeUUID, types.Timestamp, types.Date} {
		if in != types.Date {
			convert("to_date", "todate", in, types.Date, func(ms int64) []byte { return fromMillis(types.Date, ms) })
		}
		if in != types.Timestamp {
			convert("to_timestamp", "totimestamp", in, types.Timestamp, types.EncodeInt64)
		}
		convert("to_unix_timestamp", "tounixtimestamp", in, types.BigInt, types.EncodeInt64)
	}
	for _, f := range [][]*types.Type{
		{types.Timestamp, types.Timestamp, types.Duration},
		{types.Timestamp, types.Timestamp, types.Duration, types.Timestamp},
		{types.Timestamp, types.TimeUUID, types.Duration},
		{types.Timestamp, types.TimeUUID, types.Duration, types.Timestamp},
		{types.Date, types.Date, types.Duration},
		{types.Date, types.Date, types.Duration, types.Date},
		{types.Time, types.Time, types.Duration},
	} {
		out, in := f[0], f[1:]
		add(&Function{Name: "floor", Args: in, Out: out, Eval: func(_ *Context, args [][]byte) ([]byte, error) {
			for _, a := range args {
				if len(a) == 0 {
					return nil, nil
				}
			}
			return floor(out, in, args)
		}})
	}
}

// millisOf is the time of a temporal value in ms since the epoch.
// Source: Cassandra 5.0 TemporalType.toTimeInMillis.
func millisOf(t *types.Type, b []byte) int64 {
	switch t.Kind {
	case types.KindTimeUUID:
		return types.UnixMillis(b)
	case types.KindDate:
		return types.DecodeDate(b) * millisPerDay
	}
	return types.DecodeInt64(b)
}

// fromMillis is the date or timestamp of a time in ms. Whole seconds before the
// epoch are cut to days towards it, so the last day before it is 1970-01-01.
// Source: Cassandra 5.0 SimpleDateSerializer.timeInMillisToDay.
func fromMillis(t *types.Type, ms int64) []byte {
	if t.Kind == types.KindDate {
		return types.EncodeDate(floorDiv(ms, 1000) / 86400)
	}
	return types.EncodeInt64(ms)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// now is the current time as a value of the type. Timeuuids take their node and
// clock bits from NewID.
func now(c *Context, t *types.Type) []byte {
	micros := c.Now()
	switch t.Kind {
	case types.KindTimeUUID:
		id := c.NewID()
		var low uint64
		for _, x := range id[8:] {
			low = low<<8 | uint64(x)
		}
		ticks := types.TicksOfMillis(floorDiv(micros, 1000)) + uint64(micros-floorDiv(micros, 1000)*1000)*10
		return types.NewTimeUUID(ticks, low)
	case types.KindTime:
		return types.EncodeInt64((micros - floorDiv(micros, millisPerDay*1000)*millisPerDay*1000) / 1000 * 1_000_000)
	}
	return fromMillis(t, floorDiv(micros, 1000))
}

// shift adds a duration to a timestamp or date, or takes it away.
// Source: Cassandra 5.0 TemporalType.addDuration, Duration.add.
func shift(t *types.Type, temporal, duration []byte, back bool) ([]byte, error) {
	d, ok := types.DecodeDuration(duration)
	if !ok || len(temporal) == 0 {
		return nil, nil
	}
	switch {
	case t.Kind == types.KindDate && d.Nanos != 0:
		return nil, javaError("The duration must have a day precision. Was: " + types.Duration.Raw(duration))
	case d.Nanos%1_000_000 != 0:
		return nil, javaError("The duration must have a millisecond precision. Was: " + types.Duration.Raw(duration))
	}
	if back {
		d.Months, d.Days, d.Nanos = -d.Months, -d.Days, -d.Nanos
	}
	ms := addMonths(millisOf(t, temporal), int64(d.Months))
	return fromMillis(t, ms+int64(d.Days)*millisPerDay+d.Nanos/1_000_000), nil
}

// addMonths is Calendar.add(MONTH): the day of the month is cut to the last one.
func addMonths(ms, months int64) int64 {
	if months == 0 {
		return ms
	}
	day := floorDiv(ms, millisPerDay)
	rest := ms - day*millisPerDay
	y, m, d := time.Unix(day*86400, 0).UTC().Date()
	total := int64(y)*12 + int64(m) - 1 + months
	year, month := int(floorDiv(total, 12)), time.Month(total-floorDiv(total, 12)*12+1)
	last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
	return time.Date(year, month, min(d, last), 0, 0, 0, 0, time.UTC).Unix()*1000 + rest
}

// floor rounds a time down to a multiple of a duration after a start.
// Source: Cassandra 5.0 TimeFcts.FloorFunction, Duration.floorTimestamp, floorTime.
func floor(out *types.Type, in []*types.Type, args [][]byte) ([]byte, error) {
	d, _ := types.DecodeDuration(args[1])
	negative := d.Months < 0 || d.Days < 0 || d.Nanos < 0
	if out.Kind == types.KindTime {
		t := types.DecodeInt64(args[0])
		switch {
		case negative:
			return nil, plan.Invalid("Negative durations are not supported by the floor function")
		case d.Months != 0 || d.Days != 0 || d.Nanos > millisPerDay*1_000_000:
			return nil, plan.Invalid("For time values, the floor can only be computed for durations smaller that a day")
		case d.Nanos == 0:
			return args[0], nil
		}
		return types.EncodeInt64(t - t%d.Nanos), nil
	}
	switch {
	case out.Kind == types.KindDate && d.Nanos != 0:
		return nil, plan.Invalid("The floor on date values cannot be computed for the %s duration as precision is below 1 day", types.Duration.Raw(args[1]))
	case d.Nanos%1_000_000 != 0:
		return nil, plan.Invalid("The floor cannot be computed for the %s duration as precision is below 1 millisecond", types.Duration.Raw(args[1]))
	}
	at, start := millisOf(in[0], args[0]), int64(0)
	if len(args) == 3 {
		start = millisOf(in[2], args[2])
	}
	switch {
	case start > at:
		return nil, plan.Invalid("The floor function starting time is greater than the provided time")
	case negative:
		return nil, plan.Invalid("Negative durations are not supported by the floor function")
	}
	return fromMillis(out, floorMillis(at, start, d)), nil
}

func floorMillis(at, start int64, d types.DurationValue) int64 {
	step := int64(d.Days)*millisPerDay + d.Nanos/1_000_000
	if d.Months == 0 {
		if step == 0 {
			return at
		}
		return at - (at-start)%step
	}
	n := (monthOf(at) - monthOf(start)) / int64(d.Months)
	base := addMonths(start, n*int64(d.Months))
	if step == 0 {
		return base
	}
	f := base + n*step
	for f > at {
		n--
		base = addMonths(base, -int64(d.Months))
		f = base + n*step
	}
	return max(start, f)
}

func monthOf(ms int64) int64 {
	y, m, _ := time.Unix(floorDiv(ms, 1000), 0).UTC().Date()
	return int64(y)*12 + int64(m)
}

// floatToDecimal goes through the Java text of the float or double.
func floatToDecimal(n number) ([]byte, error) {
	text := types.Double.Raw(types.EncodeDouble(n.f))
	if n.kind == types.KindFloat {
		text = types.Float.Raw(types.EncodeFloat(float32(n.f)))
	}
	if math.IsNaN(n.f) || math.IsInf(n.f, 0) {
		return nil, &plan.Error{Code: plan.ServerError, Message: "java.lang.NumberFormatException: Character " +
			strings.TrimPrefix(text, "-")[:1] + ` is neither a decimal digit number, decimal point, nor "e" notation exponential mark.`}
	}
	u, s, _ := types.ParseDecimal(text)
	return types.EncodeDecimal(u, s), nil
}
