package stress

import "math"

// sample draws one number.
// Source: Apache Commons Math 3.2, the distributions' sample.
func (c curve) sample(r *javaRandom) float64 {
	switch c.kind {
	case Uniform:
		u := r.double()
		return float64(u*c.b) + float64((1-u)*c.a)
	case Gaussian:
		return float64(c.b*r.gaussian()) + c.a
	case Exponential:
		return c.a * exponentialSample(r)
	}
	return c.inverse(r.double())
}

// inverse is the number that draws stay below with a chance of p.
// Source: Apache Commons Math 3.2, inverseCumulativeProbability.
func (c curve) inverse(p float64) float64 {
	switch c.kind {
	case Uniform:
		return float64(p*(c.b-c.a)) + c.a
	case Gaussian:
		return c.a + float64(float64(c.b*math.Sqrt2)*errorInverse(2*p-1))
	case Exponential:
		if p == 1 {
			return math.Inf(1)
		}
		return -c.a * logarithm(1-p)
	}
	switch p {
	case 0:
		return 0
	case 1:
		return math.Inf(1)
	}
	return c.b * power(-logarithm(1-p), 1/c.a)
}

// halves are sums of ln(2)^i / i!.
var halves = [...]float64{0.6931471805599453, 0.9333736875190459, 0.9888777961838675, 0.998495925291496, 0.9998292811061389, 0.9999833164100727,
	0.9999985691438767, 0.9999998906925558, 0.9999999924734159, 0.9999999995283275, 0.9999999999728814, 0.9999999999985598, 0.999999999999929,
	0.9999999999999968, 0.9999999999999999, 1}

// exponentialSample draws with a mean of 1, by the algorithm SA of Ahrens and
// Dieter. Source: Apache Commons Math 3.2 ExponentialDistribution.sample.
func exponentialSample(r *javaRandom) float64 {
	a, u := 0.0, r.double()
	if u == 0 { // doubling it would never end
		u = 0x1p-54
	}
	for u < 0.5 {
		a += halves[0]
		u *= 2
	}
	u += u - 1
	if u <= halves[0] {
		return a + u
	}
	least := r.double()
	for i := 1; ; i++ {
		least = min(least, r.double())
		if u <= halves[i] {
			return a + float64(least*halves[0])
		}
	}
}

// errorInverse is the inverse of the error function, by Giles' polynomials.
// Source: Apache Commons Math 3.2 Erf.erfInv.
func errorInverse(x float64) float64 {
	w := -logarithm((1 - x) * (1 + x))
	var p float64
	series := func(at float64, list []float64) {
		for _, c := range list {
			p = c + float64(p*at)
		}
	}
	switch {
	case w < 6.25:
		series(w-3.125, gilesNear)
	case w < 16:
		series(math.Sqrt(w)-3.25, gilesFar)
	case math.IsInf(w, 1):
		return math.Copysign(math.Inf(1), x)
	default:
		series(math.Sqrt(w)-5, gilesTail)
	}
	return p * x
}

var gilesNear = []float64{-3.64441206401782e-21, -1.6850591381820166e-19, 1.28584807152564e-18, 1.1157877678025181e-17, -1.333171662854621e-16,
	2.0972767875968562e-17, 6.637638134358324e-15, -4.054566272975207e-14, -8.151934197605472e-14, 2.6335093153082323e-12, -1.2975133253453532e-11,
	-5.415412054294628e-11, 1.0512122733215323e-9, -4.112633980346984e-9, -2.9070369957882005e-8, 4.2347877827932404e-7, -1.3654692000834679e-6,
	-1.3882523362786469e-5, 1.8673420803405714e-4, -7.40702534166267e-4, -0.006033670871430149, 0.24015818242558962, 1.6536545626831027}

var gilesFar = []float64{2.2137376921775787e-9, 9.075656193888539e-8, -2.7517406297064545e-7, 1.8239629214389228e-8, 1.5027403968909828e-6,
	-4.013867526981546e-6, 2.9234449089955446e-6, 1.2475304481671779e-5, -4.7318229009055734e-5, 6.828485145957318e-5, 2.4031110387097894e-5,
	-3.550375203628475e-4, 9.532893797373805e-4, -0.0016882755560235047, 0.002491442096107851, -0.003751208507569241, 0.005370914553590064,
	1.0052589676941592, 3.0838856104922208}

var gilesTail = []float64{-2.7109920616438573e-11, -2.555641816996525e-10, 1.5076572693500548e-9, -3.789465440126737e-9, 7.61570120807834e-9,
	-1.496002662714924e-8, 2.914795345090108e-8, -6.771199775845234e-8, 2.2900482228026655e-7, -9.9298272942317e-7, 4.526062597223154e-6,
	-1.968177810553167e-5, 7.599527703001776e-5, -2.1503011930044477e-4, -1.3871931833623122e-4, 1.0103004648645344, 4.849906401408584}
