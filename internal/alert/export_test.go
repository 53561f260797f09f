package alert

// Telegrams lets tests see what becomes of a Telegram address.
var Telegrams = telegrams
