// Package helmcheck_test renders the chart as helm does and holds it against the types of the Kubernetes API.
package helmcheck_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	network "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/yaml"
)

const chartDir = "../../deploy/helm/found-footy"

// scaledObject is what KEDA reads, as far as the chart uses it; KEDA's own module would bring three clouds along.
type scaledObject struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata,omitempty"`
	Spec            struct {
		ScaleTargetRef  struct{ Name string }
		MinReplicaCount int
		MaxReplicaCount int
		PollingInterval int
		CooldownPeriod  int
		Advanced        any
		Triggers        []struct {
			Type     string
			Metadata map[string]string
		}
	} `json:"spec"`
}

// kinds are those that the chart may make.
func kinds() map[string]func() any {
	return map[string]func() any{
		"apps/v1/Deployment": func() any { return new(apps.Deployment) }, "apps/v1/StatefulSet": func() any { return new(apps.StatefulSet) },
		"v1/Service": func() any { return new(core.Service) }, "v1/ConfigMap": func() any { return new(core.ConfigMap) },
		"policy/v1/PodDisruptionBudget": func() any { return new(policy.PodDisruptionBudget) }, "networking.k8s.io/v1/NetworkPolicy": func() any { return new(network.NetworkPolicy) },
		"keda.sh/v1alpha1/ScaledObject": func() any { return new(scaledObject) },
	}
}

// render is helm template with these values over the chart's own; each object strictly read into its type, by kind and name.
func render(t *testing.T, over map[string]any) map[string]any {
	t.Helper()
	out, err := tryRender(over)
	require.NoError(t, err)
	objects := map[string]any{}
	for _, file := range slices.Sorted(maps.Keys(out)) {
		for text := range strings.SplitSeq("\n"+out[file], "\n---") {
			var head meta.TypeMeta
			var named struct{ Metadata meta.ObjectMeta }
			require.NoError(t, yaml.Unmarshal([]byte(text), &head), "%s: %s", file, text)
			if head.Kind == "" {
				continue
			}
			make, known := kinds()[head.APIVersion+"/"+head.Kind]
			require.True(t, known, "%s makes a %s of %s", file, head.Kind, head.APIVersion)
			object := make()
			require.NoError(t, yaml.UnmarshalStrict([]byte(text), object), "%s: %s", file, text)
			require.NoError(t, yaml.Unmarshal([]byte(text), &named))
			key := head.Kind + "/" + named.Metadata.Name
			require.NotContains(t, objects, key)
			objects[key] = object
		}
	}
	return objects
}

func tryRender(over map[string]any) (map[string]string, error) {
	c, err := loader.Load(chartDir)
	if err != nil {
		return nil, err
	}
	if err := c.Validate(); err != nil {
		return nil, err
	}
	values, err := chartutil.ToRenderValues(c, over, chartutil.ReleaseOptions{Name: "goals", Namespace: "footy", IsInstall: true}, nil)
	if err != nil {
		return nil, err
	}
	return (engine.Engine{Strict: true}).Render(c, values)
}

// pods are the templates of what runs, by role.
func pods(objects map[string]any) map[string]core.PodTemplateSpec {
	out := map[string]core.PodTemplateSpec{}
	for name, o := range objects {
		switch o := o.(type) {
		case *apps.Deployment:
			out[name] = o.Spec.Template
		case *apps.StatefulSet:
			out[name] = o.Spec.Template
		}
	}
	return out
}

func TestEveryRoleRunsWithinItsLimits(t *testing.T) {
	t.Parallel()
	objects := render(t, map[string]any{"browser": map[string]any{"accounts": []any{"main", "second"}}})
	all := pods(objects)
	require.ElementsMatch(t, []string{"Deployment/goals-web", "Deployment/goals-worker", "Deployment/goals-vision", "StatefulSet/goals-browser-main", "StatefulSet/goals-browser-second"},
		slices.Collect(maps.Keys(all)))
	for name, p := range all {
		require.Len(t, p.Spec.Containers, 1, name)
		c := p.Spec.Containers[0]
		require.True(t, *p.Spec.SecurityContext.RunAsNonRoot, name)
		require.False(t, *p.Spec.AutomountServiceAccountToken, name)
		require.Equal(t, new(bool), p.Spec.EnableServiceLinks, name)
		require.True(t, *c.SecurityContext.ReadOnlyRootFilesystem, name)
		require.False(t, *c.SecurityContext.AllowPrivilegeEscalation, name)
		require.Equal(t, []core.Capability{"ALL"}, c.SecurityContext.Capabilities.Drop, name)
		require.False(t, c.Resources.Limits.Memory().IsZero(), name)
		require.Equal(t, "/readyz", c.ReadinessProbe.HTTPGet.Path, "%s: ready while it does its work, pollers and all", name)
		require.Equal(t, "/healthz", c.LivenessProbe.HTTPGet.Path, "%s: what is down outside is no reason to start it again", name)
		require.GreaterOrEqual(t, *p.Spec.TerminationGracePeriodSeconds, int64(75), "%s may drain", name)
		ports := map[string]bool{}
		for _, port := range c.Ports {
			ports[port.Name] = true
		}
		for _, probe := range []*core.Probe{c.ReadinessProbe, c.LivenessProbe, c.StartupProbe} {
			require.Equal(t, intstr.String, probe.HTTPGet.Port.Type, name)
			require.True(t, ports[probe.HTTPGet.Port.StrVal], "%s: probe of %s", name, probe.HTTPGet.Port.StrVal)
		}
		volumes := map[string]bool{}
		for _, v := range p.Spec.Volumes {
			volumes[v.Name] = true
		}
		if s, ok := objects[name].(*apps.StatefulSet); ok {
			require.Equal(t, int32(1), *s.Spec.Replicas, "one account, one browser")
			volumes[s.Spec.VolumeClaimTemplates[0].Name] = true
			require.Equal(t, core.SeccompProfileTypeLocalhost, p.Spec.SecurityContext.SeccompProfile.Type, "Chromium's sandbox")
		}
		for _, m := range c.VolumeMounts {
			require.True(t, volumes[m.Name], "%s mounts %s", name, m.Name)
		}
	}
	require.Equal(t, int32(1), *objects["Deployment/goals-vision"].(*apps.Deployment).Spec.Replicas, "the model's slots are counted once")
}

// TestSecretsAreOnlyNamed: no value of one is in anything that the chart makes, and none can be written into its settings.
func TestSecretsAreOnlyNamed(t *testing.T) {
	t.Parallel()
	for name, p := range pods(render(t, nil)) {
		from := map[string]bool{}
		for _, e := range p.Spec.Containers[0].Env {
			if e.ValueFrom != nil {
				require.NotEmpty(t, e.ValueFrom.SecretKeyRef.Name, "%s: %s", name, e.Name)
				require.NotEmpty(t, e.ValueFrom.SecretKeyRef.Key, "%s: %s", name, e.Name)
				from[e.Name] = true
			}
		}
		require.True(t, from["POSTGRES_URL"] && from["S3_SECRET_KEY"], name)
	}
	for _, bad := range []map[string]any{
		{"settings": map[string]any{"S3_SECRET_KEY": "in plain sight"}},
		{"secrets": map[string]any{"ADMIN_TOKEN": "in plain sight"}},
		{"worker": map[string]any{"replicas": 0}},
		{"wokrer": map[string]any{}},
	} {
		_, err := tryRender(bad)
		require.Error(t, err, "%v", bad)
	}
}

// TestSelectorsFindTheirPods: a budget, a service or a policy that selects nothing protects nothing without a word.
func TestSelectorsFindTheirPods(t *testing.T) {
	t.Parallel()
	objects := render(t, map[string]any{"worker": map[string]any{"autoscaling": map[string]any{"enabled": true}}})
	all := pods(objects)
	found := func(selector map[string]string) (names []string) {
		for name, p := range all {
			if labels.SelectorFromSet(selector).Matches(labels.Set(p.Labels)) {
				names = append(names, name)
			}
		}
		return names
	}
	for name, o := range objects {
		switch o := o.(type) {
		case *apps.Deployment:
			require.Equal(t, []string{name}, found(o.Spec.Selector.MatchLabels))
		case *apps.StatefulSet:
			require.Equal(t, []string{name}, found(o.Spec.Selector.MatchLabels))
		case *core.Service:
			require.Len(t, found(o.Spec.Selector), 1, name)
		case *policy.PodDisruptionBudget:
			require.Len(t, found(o.Spec.Selector.MatchLabels), 1, name)
			require.Equal(t, 1, o.Spec.MaxUnavailable.IntValue(), name)
		case *network.NetworkPolicy:
			require.NotEmpty(t, found(o.Spec.PodSelector.MatchLabels), name)
		case *scaledObject:
			require.Contains(t, objects, "Deployment/"+o.Spec.ScaleTargetRef.Name)
			require.Nil(t, objects["Deployment/"+o.Spec.ScaleTargetRef.Name].(*apps.Deployment).Spec.Replicas, "KEDA counts, nobody else")
			require.Len(t, o.Spec.Triggers, 2)
			for _, trigger := range o.Spec.Triggers {
				require.Equal(t, "temporal", trigger.Type)
				require.Equal(t, "temporal-frontend.temporal:7233", trigger.Metadata["endpoint"])
				require.Equal(t, "5", trigger.Metadata["targetQueueSize"])
				require.Contains(t, all["Deployment/goals-worker"].Spec.Containers[0].Args[1], trigger.Metadata["taskQueue"])
			}
		}
	}
	require.Contains(t, objects, "ScaledObject/goals-worker")
	require.Equal(t, []string{"Deployment/goals-web"}, found(objects["NetworkPolicy/goals-web"].(*network.NetworkPolicy).Spec.PodSelector.MatchLabels))
	require.Len(t, found(objects["NetworkPolicy/goals"].(*network.NetworkPolicy).Spec.PodSelector.MatchLabels), len(all), "whatever is not named is refused for all")
}
