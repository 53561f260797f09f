package scaler

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/found-footy/found-footy/internal/connect/network/httpx"
	"github.com/found-footy/found-footy/internal/footy"
)

// The labels that compose puts on its containers.
const (
	labelProject = "com.docker.compose.project"
	labelService = "com.docker.compose.service"
	labelNumber  = "com.docker.compose.container-number"
)

// Docker is the Engine API of one machine.
type Docker struct {
	Within time.Duration // that a call has; to stop a container takes the grace, too
	client *http.Client
}

// NewDocker makes a client of the engine that listens on a unix socket.
func NewDocker(socket string) *Docker {
	return &Docker{Within: 30 * time.Second, client: httpx.New(httpx.Options{Timeout: -1, Unix: socket})}
}

// Container is one copy of a service.
type Container struct {
	ID, Name, Service string
	Number            int
	Running           bool
	Networks          int // that it is on, or was when it ran
}

// Containers are those of a project's service, and of services whose name goes on with a number where numbered is true, by their
// number.
func (d *Docker) Containers(ctx context.Context, project, service string, numbered bool) ([]Container, error) {
	filters, err := json.Marshal(map[string][]string{"label": {labelProject + "=" + project, "com.docker.compose.oneoff=False"}})
	if err != nil {
		return nil, footy.Wrap(footy.CodeInvalid, "list containers", err)
	}
	var found []struct {
		ID     string `json:"Id"`
		Names  []string
		Labels map[string]string
		State  string

		NetworkSettings struct{ Networks map[string]any }
	}
	if err := d.call(ctx, "list containers", http.MethodGet, "/containers/json?all=1&filters="+url.QueryEscape(string(filters)), nil, &found); err != nil {
		return nil, err
	}
	var out []Container
	for _, f := range found {
		c := Container{ID: f.ID, Service: f.Labels[labelService], Running: f.State == "running" || f.State == "restarting", Networks: len(f.NetworkSettings.Networks)}
		rest, ours := strings.CutPrefix(c.Service, service)
		if _, err := strconv.Atoi(rest); !ours || rest != "" && (!numbered || err != nil) {
			continue
		}
		c.Number, _ = strconv.Atoi(f.Labels[labelNumber]) // none is 0
		if len(f.Names) > 0 {
			c.Name = strings.TrimPrefix(f.Names[0], "/")
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b Container) int {
		return cmp.Or(cmp.Compare(a.Service, b.Service), cmp.Compare(a.Number, b.Number))
	})
	return out, nil
}

// Start starts a container that is there.
func (d *Docker) Start(ctx context.Context, c Container) error {
	return d.call(ctx, "start "+c.Name, http.MethodPost, "/containers/"+c.ID+"/start", nil, nil)
}

// Stop asks a container to end and waits until it has, for at most the grace.
func (d *Docker) Stop(ctx context.Context, c Container, grace time.Duration) error {
	return d.callWithin(ctx, grace+d.Within, "stop "+c.Name, http.MethodPost, fmt.Sprintf("/containers/%s/stop?t=%d", c.ID, int(grace.Seconds())), nil, nil)
}

// endpoint is a network as a container is on it.
type endpoint struct {
	NetworkID string
	Aliases   []string
}

// Copy makes and starts another container like c, with the next number. What can be had once, a published port and a name of its own,
// it does not get.
func (d *Docker) Copy(ctx context.Context, c Container, number int) (Container, error) {
	var like struct {
		Config          map[string]any
		HostConfig      map[string]any
		NetworkSettings struct{ Networks map[string]endpoint }
	}
	op := "copy " + c.Name
	if err := d.call(ctx, op, http.MethodGet, "/containers/"+c.ID+"/json", nil, &like); err != nil {
		return Container{}, err
	}
	labels, _ := like.Config["Labels"].(map[string]any)
	if labels == nil {
		return Container{}, footy.Errorf(footy.CodeInvalid, op, "it has no labels of compose")
	}
	labels[labelNumber] = strconv.Itoa(number)
	delete(like.Config, "Hostname")
	delete(like.Config, "MacAddress")
	delete(like.HostConfig, "PortBindings")
	body := maps.Clone(like.Config)
	body["HostConfig"] = like.HostConfig
	names := slices.Sorted(maps.Keys(like.NetworkSettings.Networks))
	own := func(name string) endpoint { // without the names that are the first one's alone
		e := like.NetworkSettings.Networks[name]
		e.Aliases = slices.DeleteFunc(slices.Clone(e.Aliases), func(a string) bool { return a == c.Name || strings.HasPrefix(c.ID, a) })
		return e
	}
	if len(names) > 0 { // older engines take one network here, and others later
		body["NetworkingConfig"] = map[string]any{"EndpointsConfig": map[string]any{names[0]: own(names[0])}}
		like.HostConfig["NetworkMode"] = names[0]
	}
	made := Container{Name: strings.TrimSuffix(c.Name, strconv.Itoa(c.Number)) + strconv.Itoa(number), Service: c.Service, Number: number}
	var answer struct {
		ID string `json:"Id"`
	}
	if err := d.call(ctx, op, http.MethodPost, "/containers/create?name="+url.QueryEscape(made.Name), body, &answer); err != nil {
		return Container{}, err
	}
	made.ID = answer.ID
	for _, name := range names[min(1, len(names)):] {
		if err := d.call(ctx, op, http.MethodPost, "/networks/"+own(name).NetworkID+"/connect", map[string]any{"Container": made.ID, "EndpointConfig": own(name)}, nil); err != nil {
			return Container{}, err
		}
	}
	return made, d.Start(ctx, made)
}

// answerLimit bounds what is read of an answer.
const answerLimit = 8 << 20

func (d *Docker) call(ctx context.Context, op, method, path string, body, into any) error {
	return d.callWithin(ctx, d.Within, op, method, path, body, into)
}

// callWithin says of its own deadline that it passed; that of the step is for the step to report.
func (d *Docker) callWithin(ctx context.Context, within time.Duration, op, method, path string, body, into any) error {
	limited, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err := d.do(limited, op, method, path, body, into)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return footy.Errorf(footy.CodeUnavailable, op, "Docker gives no answer within %s; restart it", within)
	}
	return err
}

func (d *Docker) do(ctx context.Context, op, method, path string, body, into any) error {
	req, err := httpx.JSON(ctx, method, "http://docker"+path, body)
	if err != nil {
		return footy.Wrap(footy.CodeInvalid, op, err)
	}
	res, raw, err := httpx.Read(d.client, req, answerLimit) //nolint:bodyclose // it closes it
	if err != nil {
		return footy.Wrap(footy.CodeUnavailable, op, err)
	}
	if res.StatusCode >= 400 {
		var why struct{ Message string }
		_ = json.Unmarshal(raw, &why) // else the status alone
		return footy.Errorf(footy.CodeUnavailable, op, "Docker answers HTTP %d: %s", res.StatusCode, why.Message)
	}
	if into == nil { // also 304: it is so already
		return nil
	}
	return footy.Wrap(footy.CodeUnavailable, op, json.Unmarshal(raw, into))
}
