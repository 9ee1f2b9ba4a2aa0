#!/bin/sh
# Five clinics, five networks over the same variables: what they are, how far apart, and what fusing them costs.
# Usage, from the root of the repository: sh examples/demo.sh [FOLDER OF THE COMMAND bnfuse]
set -eu

bin=${1:+$1/}
out=build/demo
mkdir -p "$out"

tell() {
    printf '\n# %s\n' "$*"
}

run() {
    printf '$ bnfuse %s\n' "$*"
    "${bin}bnfuse" "$@"
}

set -- examples/clinics/*.bif

tell "Five clinics have each drawn their own network. None is expensive to work with."
run inspect "$@"

tell "Four of them nearly agree. One does not."
run compare "$@"

tell "What Harbour has the wrong way round, made up or left out, seen from Millbrook."
run compare examples/clinics/millbrook.bif examples/clinics/harbour.bif

tell "Fusing all five keeps every dependence that any of them claims."
run fuse "$@" -o "$out/fused.bif"

tell "The price: a denser network, with a larger largest clique."
run inspect "$out/fused.bif"
