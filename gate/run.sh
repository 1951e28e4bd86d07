#!/usr/bin/env bash
# The steps of the action: compare, write the report, the job summary and one comment, and exit with the code of the gate. Inputs
# are environment variables, so that no text of a pull request is run as a command.
# Not -u: bash 3.2 of macOS takes an empty array for an unset variable.
set -eo pipefail

# The message does not repeat the name, which could contain a workflow command.
[[ $NAME =~ ^[A-Za-z0-9._-]+$ ]] || { echo "::error::name: expected letters, digits, dots and dashes alone" && exit 2; }
folder=${RUNNER_TEMP:-.}/assay-gate-$NAME
rm -rf "$folder"
mkdir -p "$folder"

sources=(${GOLD:+"$GOLD"} "$BASELINE" "$CANDIDATE")
# -d '': a workflow may give the measures on several lines.
read -rd '' -a words <<<"$MEASURES" || true
measures=()
for word in "${words[@]}"; do measures+=(-m "$word"); done
read -rd '' -a more <<<"$ARGUMENTS" || true
link=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID#artifacts

# One comment, updated by every push. It is identified by its first line and by its author, as anyone can copy the line.
comment() {
    local marker="<!-- assay gate: $NAME -->" comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments" id
    # GitHub accepts 65,536 characters.
    { echo "$marker" && head -c 60000 "$folder/comment.md"; } >"$folder/body.md"
    id=$(gh api --paginate "$comments" --jq \
        ".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id") || return
    if [[ -n $id ]]; then
        gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/${id%%$'\n'*}" -F "body=@$folder/body.md"
    else
        gh api --silent --method POST "$comments" -F "body=@$folder/body.md"
    fi
}

# Write the job summary and the comment. The token of a pull request from a fork cannot write; the verdict does not depend on it.
publish() {
    cat "$folder/comment.md" >>"$GITHUB_STEP_SUMMARY"
    if [[ $COMMENT == true && -n $PULL_REQUEST ]]; then
        comment || echo "::warning::the comment could not be written; the summary of the job has the same text"
        rm -f "$folder/body.md"
    fi
}

code=0
assay compare "${measures[@]}" "${more[@]}" --fail-if-worse="$MARGIN" --undecided="$UNDECIDED" --comment "$folder/comment.md" \
    --link "$link" -o "$folder/comparison.json" -- "${sources[@]}" 2>"$folder/messages.txt" || code=$?
# Messages quote text of files: stop GitHub from reading it as workflow commands.
pause=assay-$RANDOM$RANDOM$RANDOM
echo "::stop-commands::$pause" && cat "$folder/messages.txt" && printf '\n::%s::\n' "$pause"
# Exit code 1 without a comment is a crash, not a failed gate.
[[ -s $folder/comment.md ]] || ((code > 1)) || code=3
if ((code > 1)); then
    echo "::error title=Gate not run::assay could not compare; its messages are above. No verdict is not a pass."
    # Replace the comment of an earlier push too.
    { echo "### Gate: not run" && echo && sed 's/^/    /' "$folder/messages.txt"; } >"$folder/comment.md"
    printf '%s\n' verdict=not-run passed=false >>"$GITHUB_OUTPUT"
    publish
    exit "$code"
fi
# With the same arguments, as a log may need a scorer; `report` lacks some of them.
report() { assay report "$@" "${measures[@]}" -o "$folder/report.html" -- "${sources[@]}"; }
{ ((${#more[@]})) && report "${more[@]}" 2>"$folder/report.txt"; } || report || echo "::warning::there is no report; the messages of assay are above"
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
publish
exit "$code"
