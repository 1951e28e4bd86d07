#!/usr/bin/env bash
# What the action does: compare, write the report, the summary and one comment, and stop where the gate does. Everything comes in
# by the environment, so that no text of a pull request is ever read as a command.
# Not -u: to the bash of macOS an empty list is an unset one.
set -eo pipefail

[[ $NAME =~ ^[A-Za-z0-9._-]+$ ]] || { echo "::error::name: expected letters, digits, dots and dashes, found '$NAME'" && exit 2; }
folder=${RUNNER_TEMP:-.}/assay-gate-$NAME
rm -rf "$folder"
mkdir -p "$folder"

sources=(${GOLD:+"$GOLD"} "$BASELINE" "$CANDIDATE")
read -ra words <<<"$MEASURES"
measures=()
for word in "${words[@]}"; do measures+=(-m "$word"); done
read -ra more <<<"$ARGUMENTS"
link=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID#artifacts

code=0
assay compare "${sources[@]}" "${measures[@]}" "${more[@]}" --fail-if-worse "$MARGIN" --undecided "$UNDECIDED" \
    --comment "$folder/comment.md" --link "$link" -o "$folder/comparison.json" 2> >(tee "$folder/messages.txt" >&2) || code=$?
if ((code > 1)); then
    echo "::error::assay could not compare; what it said stands above. No verdict is not a pass."
    { echo "### Gate: not run" && echo && sed 's/^/    /' "$folder/messages.txt"; } >>"$GITHUB_STEP_SUMMARY"
    exit "$code"
fi
assay report "${sources[@]}" "${measures[@]}" -o "$folder/report.html" || echo "::warning::there is no report; what assay said stands above"

cat "$folder/comment.md" >>"$GITHUB_STEP_SUMMARY"
{
    echo "folder=$folder"
    sed -n '1s/^### Gate: \([a-z-]*\), .*/verdict=\1/p' "$folder/comment.md"
} >>"$GITHUB_OUTPUT"

# One comment, written again each time: found by its first line, and by who wrote it, for anybody can copy a line.
comment() {
    local marker="<!-- assay gate: $NAME -->" comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments" found
    # A forge takes 65,536 characters.
    { echo "$marker" && head -c 60000 "$folder/comment.md"; } >"$folder/body.md"
    found=$(gh api --paginate "$comments" --jq \
        ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id") || return
    if [[ -n $found ]]; then
        gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/${found%%$'\n'*}" -F "body=@$folder/body.md"
    else
        gh api --silent --method POST "$comments" -F "body=@$folder/body.md"
    fi
}

# A pull request from a fork has no token that may write: the verdict stands all the same.
if [[ $COMMENT == true && -n $PULL_REQUEST ]]; then
    comment || echo "::warning::the comment could not be written; the summary of the job has the same text"
    rm -f "$folder/body.md"
fi
exit "$code"
