#!/usr/bin/env bash
# Builds a PgBouncer that keeps track of named statements (1.21 or later) from the sources of a later Debian, and prints its path.
#
#   .ci/pgbouncer.sh DIR
#
# The mirror is that of this machine. Without OpenSSL: the tests connect on loopback.
set -euo pipefail
dir=$1
mkdir -p "$dir/lists/partial" "$dir/cache"
mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null |
  sed -nE 's/^(URIs:|deb(-src)?)( +\[.*\])? +([^ ]+\/debian)\/?( .*)?$/\4/p' | head -n 1 || true)
echo "deb-src ${mirror:?no Debian mirror in the sources of apt} trixie main" >"$dir/sources.list"
options=(-qq -o "Dir::Etc::sourcelist=$dir/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir/cache" -o APT::Sandbox::User=root)
{
  keys=/usr/share/keyrings/debian-archive-keyring.gpg
  [ -e "$keys" ] && sed -i "s#^deb-src #deb-src [signed-by=$keys] #" "$dir/sources.list"
  apt-get "${options[@]}" update
  cd "$dir"
  apt-get "${options[@]}" source --download-only pgbouncer
  tar -xf pgbouncer_*.orig.tar.gz
  cd pgbouncer-*/
  ./configure --without-openssl --without-cares
  make -j2 pgbouncer
} >"$dir/log" 2>&1
chmod -R a+rX "$dir"
echo "$PWD/pgbouncer"
