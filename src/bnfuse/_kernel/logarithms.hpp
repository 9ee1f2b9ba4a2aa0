// Logarithms and e^-x from basic operations alone, which give the same bits on every machine.
#pragma once

#include <cmath>

namespace bnfuse {

// For a positive number: from its power of two and, by the series of the inverse hyperbolic tangent, the rest.
inline double natural_log(double x) {
    int power;
    double rest = std::frexp(x, &power);
    if (rest < 0.70710678118654752) {
        rest *= 2;
        --power;
    }
    const double s = (rest - 1) / (rest + 1), square = s * s;
    double series = 0;
    for (int odd = 23; odd >= 3; odd -= 2) series = (series + 1.0 / odd) * square;
    // log 2 in two parts: the first has enough zeros at its end for an exact product.
    constexpr double log_two = 0.693147180369123816490, log_two_rest = 1.90821492927058770002e-10;
    return power * log_two + (2 * s + (2 * s * series + power * log_two_rest));
}

// For a positive number: Stirling's series, from the point at which it is exact enough.
inline double log_gamma(double x) {
    constexpr double far = 16, half_log_two_pi = 0.91893853320467274178;
    double before = 1;
    for (; x < far; x += 1) before *= x;
    const double inverse = 1 / x, square = inverse * inverse;
    const double series =
        inverse *
        (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square * (1.0 / 1680 - square * (1.0 / 1188)))));
    return (x - 0.5) * natural_log(x) - x + half_log_two_pi + series - natural_log(before);
}

// e^-x for x >= 0.
inline double exp_minus(double x) {
    if (x > 40) return 0;
    const int halvings = 12;
    double y = 1 - x / (1 << halvings) + x * x / (2.0 * (1 << halvings) * (1 << halvings));
    for (int i = 0; i < halvings; ++i) y *= y;
    return y;
}

} // namespace bnfuse
