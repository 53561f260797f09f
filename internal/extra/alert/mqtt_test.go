package alert_test

import (
	"encoding/json"
	"net"
	"testing"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"github.com/stretchr/testify/require"

	"github.com/found-footy/found-footy/internal/extra/alert"
	"github.com/found-footy/found-footy/internal/footy"
)

// broker takes what is published, as MQTT 3.1.1 says; who logs in otherwise than as footy with the password "secret" is refused.
func broker(t *testing.T) (address string, got chan *packets.PublishPacket) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	got = make(chan *packets.PublishPacket, 10)
	serve := func(c net.Conn) {
		defer func() { _ = c.Close() }()
		for {
			p, err := packets.ReadPacket(c)
			if err != nil {
				return
			}
			switch p := p.(type) {
			case *packets.ConnectPacket:
				ack := packets.NewControlPacket(packets.Connack).(*packets.ConnackPacket)
				if p.Username != "footy" || string(p.Password) != "secret" {
					ack.ReturnCode = packets.ErrRefusedBadUsernameOrPassword
				}
				_ = ack.Write(c)
			case *packets.PublishPacket:
				got <- p
				ack := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
				ack.MessageID = p.MessageID
				_ = ack.Write(c)
			}
		}
	}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go serve(c)
		}
	}()
	return l.Addr().String(), got
}

func TestABrokerGetsNewsThatHomeAssistantDiscovers(t *testing.T) {
	t.Parallel()
	at, got := broker(t)
	b := setup(t, func(o *alert.Options) { o.URLs, o.Sender = []string{"mqtt://footy:secret@" + at + "/home/footy"}, nil })
	require.Equal(t, "mqtt at 127.0.0.1", b.n[0].Name)
	require.NoError(t, sendNew(t.Context(), b.n))
	about, news := <-got, <-got
	require.Equal(t, "homeassistant/event/found_footy/config", about.TopicName)
	require.True(t, about.Retain)
	var found struct {
		StateTopic string   `json:"state_topic"`
		EventTypes []string `json:"event_types"`
	}
	require.NoError(t, json.Unmarshal(about.Payload, &found))
	require.Equal(t, news.TopicName, found.StateTopic)
	var body map[string]string
	require.NoError(t, json.Unmarshal(news.Payload, &body))
	require.Equal(t, []string{"home/footy", "goal", "⚽ Salah 59': Liverpool 1–0 City", "Salah", "home"}, []string{news.TopicName, body["event_type"], body["message"], body["scorer"], body["side"]})
	require.Contains(t, found.EventTypes, body["event_type"])
	require.False(t, news.Retain)
	b.change(func(e *footy.Event) { e.Removed = true })
	require.NoError(t, sendNew(t.Context(), b.n))
	<-got
	require.Contains(t, string((<-got).Payload), `"event_type":"cancelled"`)
}

func TestABrokerThatRefusesGetsTheNewsLater(t *testing.T) {
	t.Parallel()
	at, _ := broker(t)
	b := setup(t, func(o *alert.Options) { o.URLs, o.Sender = []string{"mqtt://footy:other-word@" + at}, nil })
	err := sendNew(t.Context(), b.n)
	require.ErrorContains(t, err, "notify mqtt at 127.0.0.1")
	require.NotContains(t, err.Error(), "other-word")
	for _, wrong := range []string{"mqtt://", "mqtt://host/a/%23"} {
		_, err = alert.New(alert.Options{URLs: []string{wrong}})
		require.ErrorContains(t, err, "write it like mqtt://")
	}
}
