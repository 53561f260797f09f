{{- define "footy.labels" -}}
app.kubernetes.io/name: found-footy
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "footy.selector" -}}
app.kubernetes.io/name: found-footy
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end -}}

{{- /* The pod of a role: dict root, role (web, worker, vision, browser), args, image, resources, env (more), account */ -}}
{{- define "footy.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false # else a service named temporal-ui sets TEMPORAL_UI_PORT
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
# A worker finishes what it has begun: 65 s at most.
terminationGracePeriodSeconds: 75
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    {{- if eq .role "browser" }}
    type: Localhost
    localhostProfile: {{ .root.Values.browser.seccompProfile }}
    {{- else }}
    type: RuntimeDefault
    {{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{- include "footy.selector" . | nindent 8 }}
containers:
  - name: {{ .role }}
    image: "{{ .image }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    args: {{- toYaml .args | nindent 6 }}
    envFrom:
      - configMapRef: {name: {{ .root.Release.Name }}-settings}
    env:
      - {name: METRICS_ADDR, value: "0.0.0.0:9100"}
      - {name: LOG_FORMAT, value: json}
      {{- range $name, $from := .root.Values.secrets }}
      - name: {{ $name }}
        valueFrom: {secretKeyRef: {name: {{ $from.name }}, key: {{ $from.key }}}}
      {{- end }}
      {{- with .env }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
    ports: {{- toYaml .ports | nindent 6 }}
    # Ready while it does its work: the database and the engine answer, and the engine sees it ask for tasks of its queues; a browser, while
    # it can search. Alive while it answers at all: what is down outside is no reason to start it again.
    readinessProbe:
      httpGet: {path: /readyz, port: {{ .ready }}}
      periodSeconds: 15
      timeoutSeconds: 5
    livenessProbe:
      httpGet: {path: /healthz, port: metrics}
      periodSeconds: 30
      timeoutSeconds: 5
      failureThreshold: 4
    startupProbe:
      httpGet: {path: /healthz, port: metrics}
      periodSeconds: 5
      failureThreshold: 24
    resources: {{- toYaml .resources | nindent 6 }}
    securityContext:
      allowPrivilegeEscalation: false
      readOnlyRootFilesystem: true
      capabilities: {drop: [ALL]}
    volumeMounts:
      - {name: tmp, mountPath: /tmp}
      - {name: state, mountPath: /var/lib/found-footy}
      {{- if eq .role "browser" }}
      - {name: shm, mountPath: /dev/shm}
      {{- end }}
volumes:
  - {name: tmp, emptyDir: {}}
  {{- if eq .role "browser" }}
  - {name: shm, emptyDir: {medium: Memory, sizeLimit: 1Gi}}
  {{- else }}
  - {name: state, emptyDir: {}} # what is kept is in database and object store
  {{- end }}
{{- end -}}
