#!/usr/bin/env bash
# Sends a release, test reports and source maps to Notifier. For a build server; needs bash, curl, and python3 for
# source maps. Settings are the variables NOTIFIER_*; docs/ci.md has them.
set -euo pipefail

if [ -z "${NOTIFIER_SECRET_KEY:-}" ]; then
  # Pull requests from forks get no secrets.
  echo "NOTIFIER_SECRET_KEY is not set: nothing is sent to Notifier."
  exit 0
fi
: "${NOTIFIER_URL:?Set NOTIFIER_URL to the address up to and including /wp-json/notifier/v1.}"
: "${NOTIFIER_VERSION:?Set NOTIFIER_VERSION to the version of the release.}"
version="${NOTIFIER_VERSION//[\/\\]/-}"

# The key comes from standard input, since every process can see the arguments of a program.
send() {
  printf 'Authorization: Bearer %s\n' "$NOTIFIER_SECRET_KEY" |
    curl -H @- --fail-with-body --retry 3 --max-time 300 -sS "$@"
}

answer="$(send "$NOTIFIER_URL/releases" --data-urlencode "version=$version" \
  --data-urlencode "ref=${NOTIFIER_COMMIT:-}" --data-urlencode "url=${NOTIFIER_BUILD_URL:-}")"
release_id="$(sed -n 's/.*"release_id":\([0-9]*\).*/\1/p' <<<"$answer")"
: "${release_id:?The answer names no release: $answer}"
echo "Release $version has the number $release_id."
if [ -n "${NOTIFIER_OUTPUT:-}" ]; then
  printf 'release-id=%s\nversion=%s\n' "$release_id" "$version" >>"$NOTIFIER_OUTPUT"
fi

# Words and patterns such as reports/*.xml, separated by blanks or lines.
shopt -s nullglob globstar
# shellcheck disable=SC2206
files=(${NOTIFIER_REPORTS:-})
fields=()
for file in "${files[@]}"; do
  if [ -f "$file" ]; then fields+=(-F "data=@$file"); else echo "$file is not there."; fi
done
if [ "${#fields[@]}" -gt 0 ]; then
  for pair in "run_env[key]=${NOTIFIER_RUN_KEY:-}" "shard=${NOTIFIER_SHARD:-}" "suite=${NOTIFIER_SUITE:-}" \
    "run_env[commit_sha]=${NOTIFIER_COMMIT:-}" "run_env[branch]=${NOTIFIER_BRANCH:-}" \
    "run_env[url]=${NOTIFIER_BUILD_URL:-}" "repository=${NOTIFIER_REPOSITORY:-}" \
    "exit_code=${NOTIFIER_EXIT_CODE:-}"; do
    # A field without a value is left out. --form-string reads no files.
    if [ -n "${pair#*=}" ]; then fields+=(--form-string "$pair"); fi
  done
  send "$NOTIFIER_URL/test-runs" --form-string "release=$version" "${fields[@]}"
  echo
elif [ -n "${NOTIFIER_REPORTS:-}" ]; then
  echo "No test report was found: $NOTIFIER_REPORTS"
fi

if [ -n "${NOTIFIER_SOURCE_MAPS:-}" ]; then
  archive="$(mktemp -d)/assets.zip"
  (cd "$NOTIFIER_SOURCE_MAPS" && python3 -m zipfile -c "$archive" .)
  release="$(python3 -c 'import sys, urllib.parse; print(urllib.parse.quote(sys.argv[1], safe=""))' "$version")"
  send "$NOTIFIER_URL/artifacts?release=$release" \
    -H "Content-Type: application/zip" --data-binary "@$archive"
  echo
  rm -f "$archive"
fi
