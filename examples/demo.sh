#!/bin/sh
# Five clinics, five networks over the same variables: what they are, how far apart, what fusing them costs, what a
# consensus gives instead, and a page that shows it all.
# Usage, from the root of the repository: sh examples/demo.sh [FOLDER OF THE COMMAND bnfuse]
set -eu

PATH=${1:+$1:}$PATH
rm -rf build/demo
mkdir -p build/demo

tell() {
    printf '\n# %s\n' "$1"
}

run() {
    printf '$ %s\n' "$1"
    eval "$1"
}

tell "Five clinics have each drawn their own network. None is expensive to work with."
run "bnfuse inspect examples/clinics/*.bif"

tell "Four of them nearly agree. One does not."
run "bnfuse compare examples/clinics/*.bif"

tell "The arcs that Harbour leaves out, adds or reverses, compared with Millbrook."
run "bnfuse compare examples/clinics/millbrook.bif examples/clinics/harbour.bif"

tell "Fusing all five keeps every dependence that any of them claims."
run "bnfuse fuse examples/clinics/*.bif -o build/demo/fused.bif"

tell "The price: a denser network, with a larger largest clique."
run "bnfuse inspect build/demo/fused.bif"

tell "A consensus within the limit: close to the five, as cheap as each of them, with tables pooled from theirs."
run "bnfuse consensus examples/clinics/*.bif --max-clique 4 -o build/demo/consensus.bif --save build/demo/result.json --frontier"

tell "It answers questions: what a smoker with a cough should know."
run "bnfuse query build/demo/consensus.bif --given Smoker=current --given Cough=yes LungCancer COPD"

tell "Which limit? Beyond some clique size there is nothing more to gain."
run "bnfuse frontier examples/clinics/*.bif"

tell "No networks, but a table? 200 resamples of it, a network from each, their consensus, and how stable its arcs are."
run "bnfuse sample build/demo/consensus.bif -n 1000 -o build/demo/patients.csv"
run "bnfuse bootstrap build/demo/patients.csv --max-clique 4 -o build/demo/learned.bif"

tell "All of it on one page, to look at and to send to the five."
run "bnfuse report build/demo/result.json -o build/demo/report.html"
