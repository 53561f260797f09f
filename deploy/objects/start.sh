#!/bin/sh
# Starts the object store with one key, made of the environment: a file in memory, gone with the container.
set -eu
umask 077
printf '{"identities": [{"name": "footy", "credentials": [{"accessKey": "footy", "secretKey": "%s"}], "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}' \
	"$S3_SECRET_KEY" >/tmp/s3.json
exec weed -logtostderr=true server -dir=/data -ip.bind=0.0.0.0 -volume.max=0 -filer -s3 -s3.port=8333 -s3.config=/tmp/s3.json
