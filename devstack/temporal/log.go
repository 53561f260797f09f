package temporal

import (
	"sync/atomic"
	"time"

	"go.temporal.io/server/common/log"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
)

// gate lets log lines through only while the server is up. Services of one process start and stop one after the other, and
// meanwhile report each other as missing: true for a moment, alarming to read, and of no use. What really prevents a start
// is returned by Start.
type gate struct {
	zapcore.Core
	open   *atomic.Bool
	damage chan<- error
}

func (g gate) With(fields []zapcore.Field) zapcore.Core {
	return gate{g.Core.With(fields), g.open, g.damage}
}

func (g gate) Check(e zapcore.Entry, ce *zapcore.CheckedEntry) *zapcore.CheckedEntry {
	if !g.Enabled(e.Level) || !g.open.Load() && e.Level < zapcore.FatalLevel {
		return ce
	}
	return ce.AddCore(e, g)
}

// Write drops what watchDisk says better: each failed write would repeat it in several lines. It hands on that SQLite cannot read its file
// any more, of which the server only says that its calls fail.
func (g gate) Write(e zapcore.Entry, fields []zapcore.Field) error {
	for _, f := range fields {
		err, ok := f.Interface.(error)
		switch {
		case ok && isFull(err):
			return nil
		case ok && isDamage(err):
			select {
			case g.damage <- err:
			default: // once is enough
			}
		}
	}
	return g.Core.Write(e, fields)
}

// newLogger writes JSON lines to stderr: without stack traces, and at most five equal messages in half a minute, because
// one cause can repeat a message thousands of times. Below "error" everything is shown from the start.
func newLogger(level string, damage chan<- error) (log.Logger, *atomic.Bool) {
	var open atomic.Bool
	parsed := log.ParseZapLevel(level)
	open.Store(parsed < zapcore.ErrorLevel)
	enc := zap.NewProductionEncoderConfig()
	enc.TimeKey, enc.EncodeTime = "time", zapcore.RFC3339NanoTimeEncoder
	enc.StacktraceKey, enc.CallerKey = zapcore.OmitKey, zapcore.OmitKey
	sink, _, err := zap.Open("stderr")
	if err != nil {
		return log.NewNoopLogger(), &open
	}
	core := gate{zapcore.NewCore(zapcore.NewJSONEncoder(enc), sink, parsed), &open, damage}
	return log.NewZapLogger(zap.New(zapcore.NewSamplerWithOptions(core, 30*time.Second, 5, 0))), &open
}
