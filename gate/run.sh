#!/usr/bin/env bash
# What the action does: compare, write the report, the summary and one comment, and stop where the gate does. Everything comes in
# by the environment, so that no text of a pull request is ever read as a command.
# Not -u: to the bash of macOS an empty list is an unset one.
set -eo pipefail

# Said without the name itself: a line of it could be a command to the forge.
[[ $NAME =~ ^[A-Za-z0-9._-]+$ ]] || { echo "::error::name: expected letters, digits, dots and dashes alone" && exit 2; }
folder=${RUNNER_TEMP:-.}/assay-gate-$NAME
rm -rf "$folder"
mkdir -p "$folder"

sources=(${GOLD:+"$GOLD"} "$BASELINE" "$CANDIDATE")
# Up to the end and not to the end of the line: what fills several lines of a workflow is meant as a whole.
read -rd '' -a words <<<"$MEASURES" || true
measures=()
for word in "${words[@]}"; do measures+=(-m "$word"); done
read -rd '' -a more <<<"$ARGUMENTS" || true
link=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID#artifacts

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

# The summary of the job, and the comment. A pull request from a fork has no token that may write: the verdict stands all the same.
tell() {
    cat "$folder/comment.md" >>"$GITHUB_STEP_SUMMARY"
    if [[ $COMMENT == true && -n $PULL_REQUEST ]]; then
        comment || echo "::warning::the comment could not be written; the summary of the job has the same text"
        rm -f "$folder/body.md"
    fi
}

code=0
assay compare "${measures[@]}" "${more[@]}" --fail-if-worse="$MARGIN" --undecided="$UNDECIDED" --comment "$folder/comment.md" \
    --link "$link" -o "$folder/comparison.json" -- "${sources[@]}" 2>"$folder/messages.txt" || code=$?
# What assay quotes from files is no command to the forge either.
pause=assay-$RANDOM$RANDOM$RANDOM
echo "::stop-commands::$pause" && cat "$folder/messages.txt" && printf '\n::%s::\n' "$pause"
# A program that broke off ends with 1 too, as one that says no.
[[ -s $folder/comment.md ]] || ((code > 1)) || code=3
if ((code > 1)); then
    echo "::error title=Gate not run::assay could not compare; what it said stands above. No verdict is not a pass."
    # Also in the place of what an earlier push was told.
    { echo "### Gate: not run" && echo && sed 's/^/    /' "$folder/messages.txt"; } >"$folder/comment.md"
    printf '%s\n' verdict=not-run passed=false >>"$GITHUB_OUTPUT"
    tell
    exit "$code"
fi
# With the same arguments, for a log may need a scorer; some of them only `compare` knows.
report() { assay report "$@" "${measures[@]}" -o "$folder/report.html" -- "${sources[@]}"; }
{ ((${#more[@]})) && report "${more[@]}" 2>"$folder/report.txt"; } || report || echo "::warning::there is no report; what assay said stands above"
rm -f "$folder/report.txt"

verdict=$(sed -n '1s/^### Gate: \([a-z-]*\), .*/\1/p' "$folder/comment.md")
{
    echo "folder=$folder"
    echo "verdict=$verdict"
    ((code)) && echo passed=false || echo passed=true
} >>"$GITHUB_OUTPUT"
case $verdict in
    inferior) echo "::error title=Gate: inferior::The candidate is worse by more than the margin." ;;
    undecided) echo "::warning title=Gate: undecided::Too few questions to tell whether the candidate is worse by more than the margin." ;;
esac
tell
exit "$code"
