package schema

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

const compressPackage = "org.apache.cassandra.io.compress."

// compressors are the compressor classes of a node with their own options.
var compressors = map[string][]string{
	"DeflateCompressor": nil,
	"LZ4Compressor":     {"lz4_compressor_type", "lz4_high_compressor_level"},
	"NoopCompressor":    nil,
	"SnappyCompressor":  nil,
	"ZstdCompressor":    {"compression_level"},
}

// parseCompression checks the compression map and completes it.
// Source: Cassandra 5.0 CompressionParams.fromMap, validate, asMap.
func parseCompression(m []Option) ([]Option, error) {
	enabled := !has(m, "enabled") || isTrue(find(m, "enabled"))
	rest := without(m, "enabled")
	switch {
	case len(m) > 0 && enabled && !has(m, "class"):
		return nil, configf("Missing sub-option 'class' for the 'compression' option.")
	case !enabled && len(rest) > 0:
		return nil, configf("If the 'enabled' option is set to false no other options must be specified")
	case has(m, "class") && find(m, "class") == "":
		return nil, configf("The 'class' option must not be empty. To disable compression use 'enabled' : false")
	}
	chunk, err := chunkLength(rest)
	if err != nil {
		return nil, err
	}
	ratio := 0.0
	if has(rest, "min_compress_ratio") {
		var ok bool
		text := find(rest, "min_compress_ratio")
		if ratio, ok = parseDouble(text); !ok {
			return nil, &Problem{Server, `java.lang.NumberFormatException: For input string: "` + text + `"`}
		}
	}
	if len(rest) == 0 {
		return []Option{{"enabled", "false"}}, nil
	}
	out, err := compressor(find(rest, "class"), without(rest, "class", "chunk_length_in_kb", "min_compress_ratio"))
	if err != nil {
		return nil, err
	}
	if err := checkChunk(chunk, ratio); err != nil {
		return nil, err
	}
	out = append(out, Option{"chunk_length_in_kb", strconv.Itoa(chunk)})
	if ratio != 0 {
		out = append(out, Option{"min_compress_ratio", javaDouble(ratio)})
	}
	return sorted(out), nil
}

func chunkLength(m []Option) (int, error) {
	if !has(m, "chunk_length_in_kb") {
		return 16, nil
	}
	n, ok := parseInt(find(m, "chunk_length_in_kb"), 32)
	switch {
	case !ok:
		return 0, configf("Invalid value for chunk_length_in_kb")
	case n > math.MaxInt32/1024:
		return 0, configf("Value of chunk_length_in_kb is too large (%d)", n)
	}
	return int(n), nil
}

// MostCompressed is of how many bytes on a compressed chunk is kept as it was, with a
// table's min_compress_ratio.
// Source: Cassandra 5.0 CompressionParams.calcMaxCompressedLength.
func MostCompressed(chunkBytes int, ratio float64) int64 {
	if ratio == 0 {
		return math.MaxInt32
	}
	return javaInt(math.Ceil(float64(chunkBytes) / ratio))
}

func checkChunk(chunk int, ratio float64) error {
	switch {
	case chunk <= 0:
		return configf("Invalid negative or null chunk_length_in_kb")
	case chunk&(chunk-1) != 0:
		return configf("chunk_length_in_kb must be a power of 2")
	}
	switch most := MostCompressed(chunk<<10, ratio); {
	case most < 0:
		return configf("Invalid negative min_compress_ratio")
	case most > int64(chunk<<10) && most < math.MaxInt32:
		return configf("min_compress_ratio can either be 0 or greater than or equal to 1")
	}
	return nil
}

// compressor resolves the class and checks its own options.
// Source: Cassandra 5.0 CompressionParams.createCompressor.
func compressor(class string, options []Option) ([]Option, error) {
	if !strings.Contains(class, ".") {
		class = compressPackage + class
	}
	own, known := compressors[strings.TrimPrefix(class, compressPackage)]
	known = known && strings.HasPrefix(class, compressPackage)
	if !known && onClasspath(class) {
		return nil, configf("create method not found")
	}
	if !known {
		return nil, configf("Could not create Compression for type %s", class)
	}
	for _, o := range options {
		if !slices.Contains(own, o.Key) {
			return nil, configf("Unknown compression options %s", o.Key)
		}
		if err := checkCompressor(o); err != nil {
			return nil, err
		}
	}
	return append(slices.Clone(options), Option{"class", class}), nil
}

func checkCompressor(o Option) error {
	n, ok := parseInt(o.Value, 32)
	switch o.Key {
	case "lz4_compressor_type":
		if o.Value != "fast" && o.Value != "high" {
			return configf("Invalid compressor type '%s' specified for LZ4 parameter 'lz4_compressor_type'. "+
				"Valid options are [high, fast].", o.Value)
		}
	case "lz4_high_compressor_level":
		if !ok || n < 1 || n > 17 {
			return configf("Invalid value [%s] for parameter 'lz4_high_compressor_level'. Value must be between 1 and 17.", o.Value)
		}
	case "compression_level":
		const thrown = "ZstdCompressor.create() threw an error: java.lang."
		if !ok {
			return configf(thrown+`NumberFormatException For input string: "%s"`, o.Value)
		}
		if n < -131072 || n > 22 {
			return configf(thrown+"IllegalArgumentException compression_level=%s is invalid", o.Value)
		}
	}
	return nil
}
