// The rows of a layered drawing (Sugiyama, Tagawa and Toda, 1981): an order of the items of each row with few
// crossings, found by barycentres, up and down, and by exchanging neighbours; and places, found by sweeps that pull
// each item to the mean of those that it is linked to, as far as the others of its row leave room (isotonic
// regression).
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
    std::vector<double> width;  // with the gap beside it
    std::vector<RowLink> links; // which come first are met first
};

// How much work: many sweeps, and exchanges, for small drawings.
struct RowWork {
    int sweeps;
    int exchanges;  // rounds
    double inwards; // how much the middle of the drawing pulls
};

struct PlacedRows {
    std::vector<int> order; // the items from the first row on, each row from the left
    std::vector<double> x;  // of each item
};

PlacedRows placed_rows(const RowItems& items, const RowWork& work);

// Places in this order, the i-th gap or more after the i-th, as close to those wanted as they can be: least squares.
std::vector<double> settled(const std::vector<double>& wanted, const std::vector<double>& gaps);

} // namespace bnfuse
