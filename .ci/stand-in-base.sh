#!/usr/bin/env bash
# Makes what the Dockerfile starts from, for a machine that can't download it: the same Debian, Node of
# the same version and npm, from their own packages. Usage: stand-in-base.sh FOLDER NODE_VERSION NAME
set -euo pipefail
folder="$1"
version="$2"
name="$3"
root="$folder/root"

# Debian's name for each machine differs from Node's.
declare -A archs=([amd64]=x64 [arm64]=arm64)
arch="${archs[$(dpkg --print-architecture)]}"

debootstrap --variant=minbase --include=ca-certificates bookworm "$root" >"$folder/debootstrap.log"
mirror="$(awk '/^deb /{print $2; exit}' "$root/etc/apt/sources.list")"
cat >"$root/etc/apt/sources.list" <<LIST
deb $mirror bookworm main
deb $mirror bookworm-updates main
deb ${mirror%/debian*}/debian-security bookworm-security main
LIST
rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*

(cd "$folder" && npm pack --silent "node-linux-$arch@$version" npm@11 >/dev/null)
tar -xzf "$folder/node-linux-$arch-$version.tgz" -C "$root/usr/local" --strip-components=1 package/bin
mkdir -p "$root/usr/local/lib/node_modules/npm"
tar -xzf "$folder"/npm-11.*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
chroot "$root" groupadd --gid 1000 node
chroot "$root" useradd --uid 1000 --gid node --create-home node

container="$(buildah from scratch)"
buildah add -q "$container" "$root" / >/dev/null
# A proxy of this machine may have a certificate of its own.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  buildah add -q "$container" "$NODE_EXTRA_CA_CERTS" /etc/ssl/certs/ca-certificates.crt >/dev/null
  buildah config --env NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt "$container"
fi
buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
buildah commit -q --rm "$container" "$name" >/dev/null
