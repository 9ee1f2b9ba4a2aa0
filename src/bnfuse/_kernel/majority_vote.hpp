// The majority vote, which people use today: arcs that enough inputs have, strongest first.
#pragma once

#include "consensus_problem.hpp"

namespace bnfuse {

struct Threshold { // a share of the inputs, by weight
    std::int64_t numerator = 1, denominator = 2;
};

// The arcs over a threshold, strongest first. By pair: in either direction, each in the majority's direction if that is
// allowed, otherwise in the other one. By arc: an input that has an arc reversed counts half.
ArcList offered_arcs(const ConsensusProblem& problem, Threshold threshold, bool by_arc);

// Those among them that close no cycle and break no limit or constraint, with an order that proves it.
DirectSearch::Network majority_vote(const ConsensusProblem& problem, Threshold threshold, bool by_arc);

} // namespace bnfuse
