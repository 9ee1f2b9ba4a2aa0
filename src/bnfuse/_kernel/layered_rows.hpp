// The rows of a layered drawing (Sugiyama, Tagawa and Toda, 1981): an order of the items of each row with few
// crossings, found by barycentres, up and down, and by exchanging neighbours; and positions, found by sweeps that move
// each item to the mean of its linked items, as far as the others of its row allow (isotonic regression).
#pragma once

#include <vector>

namespace bnfuse {

// Between an item of one row and one of the next.
struct RowLink {
    int upper, lower;
    double pull;
};

struct RowItems {
    std::vector<int> row;       // of each item
    std::vector<double> width;  // including the gap next to it
    std::vector<RowLink> links; // which come first are met first
};

// The amount of work: many sweeps, and exchanges, for small drawings.
struct RowWork {
    int sweeps;
    int exchanges;  // rounds
    double inwards; // how strongly the middle of the drawing attracts
};

struct PlacedRows {
    std::vector<int> order; // the items from the first row on, each row from the left
    std::vector<double> x;  // of each item
};

PlacedRows placed_rows(const RowItems& items, const RowWork& work);

// Positions in this order, with at least the i-th gap after the i-th, closest to the wanted ones: least squares.
std::vector<double> settled(const std::vector<double>& wanted, const std::vector<double>& gaps);

} // namespace bnfuse
