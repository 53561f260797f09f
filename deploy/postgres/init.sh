#!/bin/sh
# Run once, by the image, when the server's files are made: a role for each user of the server, and our database.
# Temporal makes its own two.
set -eu
psql -v ON_ERROR_STOP=1 -U postgres -v temporal="$TEMPORAL_DB_PASSWORD" -v footy="$FOOTY_DB_PASSWORD" <<'SQL'
CREATE ROLE temporal LOGIN CREATEDB PASSWORD :'temporal';
CREATE ROLE footy LOGIN PASSWORD :'footy';
CREATE DATABASE found_footy OWNER footy;
REVOKE CONNECT ON DATABASE found_footy FROM PUBLIC;
SQL
