#!/usr/bin/env bash
# Installs what the browser tests need from outside Python: Chromium, a Java runtime, the Nu HTML
# checker, axe-core, nginx, the TeX engines, and the command-line tools that the pages'
# verify-yourself commands call. As root with apt-get it installs what is missing; otherwise it
# prints what is missing and leaves: the tests that need it are then skipped, or fail when
# REQUIRE_BROWSER=1.
set -euo pipefail
cd "$(dirname "$0")"

missing=()
need() { # need PACKAGE COMMAND...: the package is missing when none of the commands is there
  local package=$1 command
  shift
  for command in "$@"; do
    if command -v "$command" >/dev/null; then return; fi
  done
  missing+=("$package")
}

need chromium chromium chromium-browser google-chrome
need default-jre-headless java
need npm npm
need jq jq
need curl curl
need openssl openssl
need nginx-light nginx
need poppler-utils pdftotext
# The three engines that pith.sty is tried with; texlive-xetex brings hyperxmp.
need texlive-xetex xelatex
need texlive-luatex lualatex
# XeTeX looks for a font of these when it makes a link.
if ! kpsewhich pzdr.tfm >/dev/null 2>&1; then missing+=(texlive-fonts-recommended); fi
# Badges are measured with the font whose widths they are computed from.
if [[ ! -f /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ]]; then missing+=(fonts-dejavu-core); fi

if ((${#missing[@]})); then
  if [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; then
    echo "Installing: ${missing[*]}"
    export DEBIAN_FRONTEND=noninteractive
    # A machine with a stale package list is common, one with a broken list is not our concern.
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
  else
    echo "Missing for the browser tests: ${missing[*]}" >&2
    echo "On Debian: sudo apt-get install ${missing[*]}" >&2
  fi
fi

if command -v npm >/dev/null; then
  # Installed again only when package.json asks for another version of one.
  stale=()
  while IFS=$'\t' read -r name wanted; do
    grep -qs "\"version\": \"$wanted\"" "node_modules/$name/package.json" || stale+=("$name")
  done < <(sed -n '/"dependencies"/,/}/s/^ *"\([a-z-]*\)": "\([0-9][0-9.]*\)".*/\1\t\2/p' package.json)
  if ((${#stale[@]})); then
    npm install --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error
  fi
fi
