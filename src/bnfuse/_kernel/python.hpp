// The common part of the kernel's Python bindings: arrays in and out, choices by name, signals. Graphs are passed as
// rows of 64-bit words, DAGs as rows of parents: one DAG is (variables, words), several are (DAGs, variables, words).
// The kernel checks its arguments.
#pragma once

#include "kernel.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <tuple>

namespace bnfuse {

namespace nb = nanobind;

template <class T, class... Rest> using In = nb::ndarray<const T, Rest..., nb::c_contig, nb::device::cpu>;
using OneDag = In<std::uint64_t, nb::ndim<2>>;
using ManyDags = In<std::uint64_t, nb::ndim<3>>;
using OrderIn = In<std::int32_t, nb::ndim<1>>;
using WeightsIn = In<std::int64_t, nb::ndim<1>>;
using ArcGenes = In<std::int32_t, nb::shape<-1, 4>>;
using Population = In<std::uint8_t, nb::ndim<2>>;
using PairNumbers = In<std::int64_t, nb::ndim<2>>;
using Rules = In<std::uint8_t, nb::ndim<2>>;
using Edges = In<std::int32_t, nb::shape<-1, 2>>;
using Reals = In<double, nb::ndim<1>>;
using Counts = nb::ndarray<std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Numbers = nb::ndarray<nb::numpy, std::int64_t, nb::shape<-1, 3>>;
using NewDag = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<2>>;
using NewDags = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<3>>;

// In

inline Graphs view(const OneDag& dag) { return {dag.data(), 1, dag.shape(0), dag.shape(1)}; }
inline Graphs view(const ManyDags& dags) { return {dags.data(), dags.shape(0), dags.shape(1), dags.shape(2)}; }

template <class To, class Array> std::vector<To> list(const Array& array) {
    return {array.data(), array.data() + array.size()};
}
inline std::vector<int> order_of(const OrderIn& order) { return list<int>(order); }
inline std::vector<Weight> weights_of(const WeightsIn& weights) { return list<Weight>(weights); }

inline void check_square(std::size_t rows, std::size_t columns, int n) {
    const auto size = static_cast<std::size_t>(n);
    require(rows == size && columns == size, "numbers and rules are given by pairs of the variables");
}
inline PairWeights pairs_of(const PairNumbers& numbers, int n) {
    check_square(numbers.shape(0), numbers.shape(1), n);
    return {n, list<Weight>(numbers)};
}
inline std::vector<std::uint8_t> rules_of(const Rules& rules, int n) {
    check_square(rules.shape(0), rules.shape(1), n);
    auto bytes = list<std::uint8_t>(rules);
    check_rules(bytes, n);
    return bytes;
}

template <class Choice>
Choice one_of(const std::string& text, std::initializer_list<std::pair<const char*, Choice>> choices) {
    for (const auto& [name, choice] : choices)
        if (text == name) return choice;
    throw std::invalid_argument("there is no '" + text + "' to choose");
}

// Out

// A numpy array that owns its data.
template <class Array, class T> Array owned(std::unique_ptr<T[]> values, std::initializer_list<std::size_t> shape) {
    nb::capsule owner(values.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Array(values.release(), shape, owner);
}

// Signals

inline bool a_signal_raised() {
    nb::gil_scoped_acquire gil;
    return PyErr_CheckSignals() != 0;
}

// Works without the GIL, and lets Python handle signals during that time: an exception of a handler ends the work. Work
// with a deadline must return its result so far when the deadline has passed; without a result, that is an error.
template <class Work> auto interruptible(Work&& work, double seconds = HUGE_VAL) {
    const auto watched = [&] {
        Watch watch(a_signal_raised, seconds);
        const nb::gil_scoped_release release;
        const Watched now(&watch);
        return work();
    };
    try {
        auto result = watched();
        if (PyErr_Occurred()) throw nb::python_error();
        return result;
    } catch (const Stopped&) {
        if (PyErr_Occurred()) throw nb::python_error(); // which ends the process if there is none
        throw std::runtime_error("time was up before there was a result");
    }
}

// The same for work that returns the best so far however it is ended: Ctrl-C is not an error here. Also returns whether
// it was pressed.
template <class Work> auto interruptible_best(Work&& work, double seconds) {
    const auto watched = [&] {
        Watch watch(a_signal_raised, seconds);
        const nb::gil_scoped_release release;
        const Watched now(&watch);
        return work();
    };
    auto result = watched();
    const bool interrupted = PyErr_Occurred() && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    if (PyErr_Occurred() && !interrupted) throw nb::python_error();
    PyErr_Clear();
    return std::pair{std::move(result), interrupted};
}

// An object that only one call may use at a time: the GIL does not ensure that where it is released.
template <class Object> class Exclusive {
public:
    explicit Exclusive(std::unique_ptr<Object> object) : object_(std::move(object)) {}

    template <class Use> auto use(Use&& work) {
        if (busy_.exchange(true)) throw std::runtime_error("another call is using this object");
        const Busy busy{busy_};
        return work(*object_);
    }

private:
    struct Busy {
        std::atomic<bool>& flag;
        ~Busy() { flag = false; }
    };
    std::unique_ptr<Object> object_;
    std::atomic<bool> busy_{false};
};

void bind_searches(nb::module_& m);
void bind_problems(nb::module_& m);
void bind_learning(nb::module_& m);

} // namespace bnfuse
