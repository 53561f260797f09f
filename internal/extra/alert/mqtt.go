package alert

import (
	"encoding/json"
	"errors"
	"maps"
	"net/url"
	"strings"
	"time"

	mqtt "github.com/eclipse/paho.mqtt.golang"
)

const (
	mqttPatience = 15 * time.Second
	mqttTopic    = "found-footy"
	// mqttDiscovery is where Home Assistant looks for what there is (MQTT discovery of an event entity).
	mqttDiscovery = "homeassistant/event/found_footy/config"
)

// mqttKinds are the kinds of news, as Home Assistant has to know them before.
var mqttKinds = []string{"goal", "clip", "cancelled", "reinstated", "health", "test"}

// newMQTT publishes each message as JSON with its fields under the topic of the address, mqtt://user:password@host:1883/topic. It connects for
// each: news is rare, and a connection that is kept has to be watched.
func newMQTT(u *url.URL) (Sender, error) {
	host, topic := u.Host, strings.Trim(u.Path, "/")
	switch {
	case u.Hostname() == "" || strings.ContainsAny(topic, "+#"):
		return nil, errors.New("no host, or a wildcard as topic")
	case u.Port() == "" && u.Scheme == "mqtts":
		host += ":8883"
	case u.Port() == "":
		host += ":1883"
	}
	if topic == "" {
		topic = mqttTopic
	}
	scheme := map[string]string{"mqtt": "tcp", "mqtts": "ssl"}[u.Scheme]
	password, _ := u.User.Password()
	opt := mqtt.NewClientOptions().AddBroker(scheme + "://" + host).SetClientID("").SetUsername(u.User.Username()).SetPassword(password).
		SetConnectTimeout(mqttPatience).SetWriteTimeout(mqttPatience).SetAutoReconnect(false)
	about, err := json.Marshal(map[string]any{"name": "News", "unique_id": "found_footy_news", "state_topic": topic, "event_types": mqttKinds, "icon": "mdi:soccer",
		"device": map[string]any{"identifiers": []string{"found_footy"}, "name": "Found Footy"}})
	return func(text string, fields map[string]string) error {
		body := map[string]string{"event_type": fields["kind"], "message": text}
		maps.Copy(body, fields)
		news, err := json.Marshal(body)
		if err != nil {
			return err
		}
		c := mqtt.NewClient(opt)
		if err := arrived(c.Connect()); err != nil {
			return err
		}
		defer c.Disconnect(0)
		if err := arrived(c.Publish(mqttDiscovery, 1, true, about)); err != nil {
			return err
		}
		return arrived(c.Publish(topic, 1, false, news))
	}, err
}

// arrived waits until the broker has confirmed.
func arrived(t mqtt.Token) error {
	if !t.WaitTimeout(mqttPatience) {
		return errors.New("the broker does not answer")
	}
	return t.Error()
}
