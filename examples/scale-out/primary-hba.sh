#!/bin/sh
# Lets the replica in.
echo 'host replication replicator all scram-sha-256' >>"$PGDATA/pg_hba.conf"
