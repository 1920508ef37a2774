#!/usr/bin/env bash
# Prints the changelog's section of a version, which becomes the release's text. Fails without one.
set -euo pipefail
cd "$(dirname "$0")/.."
awk -v heading="## [$1]" '
  index($0, heading) == 1 { found = 1; next }
  found && /^(## |\[[^]]+\]: )/ { exit }
  found { print }
  END { exit !found }
' CHANGELOG.md
