#!/usr/bin/env bash
# Builds a small PostgreSQL image from Debian's packages, for machines that can reach them but no image registry.
# It takes the same variables as the official image: POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB, POSTGRES_INITDB_ARGS.
#
#   .ci/postgres-image.sh NAME     does nothing when an image NAME exists
#
# Needs root, docker and debootstrap. About a minute.
set -euo pipefail

name=${1:?usage: $0 IMAGE-NAME}
if docker image inspect "$name" >/dev/null 2>&1; then
  echo "The image $name exists already."
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root

echo "Installing PostgreSQL into an empty Debian for the image $name ..."
if ! debootstrap --variant=minbase --include=postgresql-15 bookworm "$root" >"$work/debootstrap.log" 2>&1; then
  tail -n 20 "$work/debootstrap.log" >&2
  exit 1
fi
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/var/lib/postgresql/15 \
  "$root"/usr/share/{doc,man,locale,info}

cat >"$root/usr/local/bin/entrypoint" <<'ENTRYPOINT'
#!/bin/bash
# Makes the cluster on the first start, then becomes the server. Arguments: `postgres` and its options.
set -euo pipefail
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}

mkdir -p "$PGDATA"
chown postgres: "$PGDATA"
chmod 700 "$PGDATA"
mkdir -p /run/postgresql
chown postgres: /run/postgresql
as_postgres() { setpriv --reuid=postgres --regid=postgres --clear-groups "$@"; }

if [ ! -s "$PGDATA/PG_VERSION" ]; then
  password=$(mktemp)
  printf '%s\n' "${POSTGRES_PASSWORD:?POSTGRES_PASSWORD is not set}" >"$password"
  chown postgres: "$password"
  # shellcheck disable=SC2086 # a list of options
  as_postgres initdb --pgdata="$PGDATA" --username="$user" --pwfile="$password" --auth=scram-sha-256 \
    ${POSTGRES_INITDB_ARGS:---encoding=UTF8 --lc-collate=C --lc-ctype=C.UTF-8}
  rm "$password"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  if [ "$database" != postgres ]; then
    echo "create database \"$database\"" | as_postgres postgres --single -D "$PGDATA" postgres >/dev/null
  fi
fi

[ "${1:-}" = postgres ] && shift
exec setpriv --reuid=postgres --regid=postgres --clear-groups postgres -c listen_addresses='*' "$@"
ENTRYPOINT
chmod 755 "$root/usr/local/bin/entrypoint"

tar -C "$root" -c . | docker import \
  -c 'ENV PATH=/usr/lib/postgresql/15/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' \
  -c 'ENV PGDATA=/var/lib/postgresql/data' \
  -c 'ENTRYPOINT ["/usr/local/bin/entrypoint"]' \
  -c 'CMD ["postgres"]' \
  -c 'EXPOSE 5432' - "$name" >/dev/null
echo "Built the image $name."
