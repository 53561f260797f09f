package alert

// Telegrams lets tests see what becomes of a Telegram address.
var Telegrams = telegrams

// Forms are the forms of addresses that errors show.
var Forms = forms

// Recorded writes down that a message was sent.
func (m Message) Recorded(told *Record) { m.record(told) }
