package ring

import "fmt"

// Protocol codes of the exceptions that a ConfigError stands for.
const (
	CodeServerError   = 0x0000 // an exception Cassandra does not expect, with its Java class in the text
	CodeInvalid       = 0x2200 // InvalidRequestException
	CodeConfiguration = 0x2300 // ConfigurationException
)

// ConfigError is a refusal of a setting: a token, the options of a replication
// strategy, or a ring on which tokens cannot be allocated. Message is Cassandra's
// text. Nothing was changed.
type ConfigError struct {
	Message string
	Code    uint16 // the protocol's error code: CodeConfiguration unless documented otherwise
}

func (e *ConfigError) Error() string { return e.Message }

func configErrorf(format string, args ...any) *ConfigError {
	return &ConfigError{Message: fmt.Sprintf(format, args...), Code: CodeConfiguration}
}
