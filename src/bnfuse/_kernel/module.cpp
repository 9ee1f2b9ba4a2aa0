// The Python face of the kernel. Graphs come and go as rows of 64-bit words, DAGs as rows of parents: one DAG is
// (variables, words), several are (DAGs, variables, words). Everything was validated before it gets here.
#include "distances.hpp"
#include "exact.hpp"
#include "parallel.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>

namespace nb = nanobind;
using namespace bnfuse;

namespace {

using OneGraph = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Graphs = nb::ndarray<const std::uint64_t, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using Order = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using NewGraphs = nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<3>>;

std::vector<int> to_vector(const Order& order) { return {order.data(), order.data() + order.size()}; }

template <int W> Rows<W> load(const std::uint64_t* data, std::size_t variables, std::size_t words) {
    Rows<W> rows(variables);
    for (auto& row : rows) {
        std::copy_n(data, words, row.word.begin());
        data += words;
    }
    return rows;
}

template <int W> Rows<W> load(const OneGraph& graph) { return load<W>(graph.data(), graph.shape(0), graph.shape(1)); }

template <int W> Rows<W> load(const Graphs& graphs, std::size_t index) {
    const auto size = graphs.shape(1) * graphs.shape(2);
    return load<W>(graphs.data() + index * size, graphs.shape(1), graphs.shape(2));
}

template <int W> void store(const Rows<W>& rows, std::size_t words, std::uint64_t* data) {
    for (const auto& row : rows) data = std::copy_n(row.word.begin(), words, data);
}

int size_of(const OneGraph& graph) { return static_cast<int>(graph.shape(0)); }
int size_of(const Graphs& graphs) { return static_cast<int>(graphs.shape(1)); }
int count_of(const Graphs& graphs) { return static_cast<int>(graphs.shape(0)); }

std::vector<int> find_cycle_of(const OneGraph& dag) {
    return with_words(size_of(dag), [&]<int W>() { return find_cycle(load<W>(dag)); });
}

std::vector<int> heuristic_order_of(const Graphs& dags, const Order& ties) {
    const auto tie_order = to_vector(ties);
    auto order = with_words(size_of(dags), [&]<int W>() {
        const auto place = places(tie_order);
        std::vector<Rows<W>> rows;
        for (int i = 0; i < count_of(dags); ++i) rows.push_back(relabelled(load<W>(dags, i), place));
        return heuristic_order(rows);
    });
    for (auto& v : order) v = tie_order[v];
    return order;
}

NewGraphs minimal_imaps_of(const Graphs& dags, const Order& order, int threads) {
    const auto size = dags.shape(1) * dags.shape(2);
    auto result = std::make_unique<std::uint64_t[]>(dags.shape(0) * size);
    {
        nb::gil_scoped_release release;
        const auto label = to_vector(order);
        const auto place = places(label);
        with_words(size_of(dags), [&]<int W>() {
            parallel(count_of(dags), threads, [&](auto&& take) {
                MinimalImap<W> minimal_imap;
                for (int i; (i = take()) >= 0;) {
                    auto rows = relabelled(load<W>(dags, i), place);
                    minimal_imap(rows);
                    store(relabelled(rows, label), dags.shape(2), result.get() + i * size);
                }
            });
        });
    }
    auto* data = result.release();
    nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<std::uint64_t*>(p); });
    return NewGraphs(data, {dags.shape(0), dags.shape(1), dags.shape(2)}, owner);
}

std::vector<int> shd_to(const OneGraph& dag, const Graphs& others) {
    return with_words(size_of(dag), [&]<int W>() {
        const auto rows = load<W>(dag);
        std::vector<int> result;
        for (int i = 0; i < count_of(others); ++i) result.push_back(shd(rows, load<W>(others, i)));
        return result;
    });
}

std::vector<int> smhd_to(const OneGraph& dag, const Graphs& others) {
    return with_words(size_of(dag), [&]<int W>() {
        const auto moral = moral_graph(load<W>(dag));
        std::vector<int> result;
        for (int i = 0; i < count_of(others); ++i)
            result.push_back(moral_difference(moral, moral_graph(load<W>(others, i))));
        return result;
    });
}

std::vector<int> fsim_to(const OneGraph& dag, const Graphs& others, const Order& ties, bool directed, int threads) {
    std::vector<int> result(others.shape(0));
    const auto place = places(to_vector(ties));
    with_words(size_of(dag), [&]<int W>() {
        const auto rows = relabelled(load<W>(dag), place);
        parallel(count_of(others), threads, [&](auto&& take) {
            Fsim<W> fsim;
            for (int i; (i = take()) >= 0;) result[i] = fsim(rows, relabelled(load<W>(others, i), place), directed);
        });
    });
    return result;
}

using Bounded = std::tuple<int, int, std::vector<int>>; // lower bound, size of the largest clique, elimination order

Bounded triangulate(const OneGraph& dag, const std::string& method, std::int64_t states) {
    return with_words(size_of(dag), [&]<int W>() -> Bounded {
        const auto moral = moral_graph(load<W>(dag));
        if (method == "exact") {
            auto bounds = exact_clique(moral, states);
            return {bounds.lower, bounds.upper.clique, std::move(bounds.upper.order)};
        }
        auto upper = method == "mcs"          ? max_cardinality(moral)
                     : method == "min-degree" ? min_degree(moral)
                     : method == "min-fill"   ? min_fill(moral)
                                              : best_elimination(moral);
        return {minor_min_width(moral, first<W>(size_of(dag))), upper.clique, std::move(upper.order)};
    });
}

int clique_along(const OneGraph& dag, const Order& order) {
    return with_words(size_of(dag),
                      [&]<int W>() { return eliminated_along(moral_graph(load<W>(dag)), to_vector(order)).clique; });
}

} // namespace

NB_MODULE(_kernel, m) {
    using Free = nb::call_guard<nb::gil_scoped_release>;
    m.attr("MAX_VARIABLES") = max_variables;
    m.def("find_cycle", find_cycle_of, nb::arg("dag").noconvert(), Free());
    m.def("heuristic_order", heuristic_order_of, nb::arg("dags").noconvert(), nb::arg("ties").noconvert(), Free());
    m.def("minimal_imaps", minimal_imaps_of, nb::arg("dags").noconvert(), nb::arg("order").noconvert(),
          nb::arg("threads"));
    m.def("shd", shd_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert(), Free());
    m.def("smhd", smhd_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert(), Free());
    m.def("fsim", fsim_to, nb::arg("dag").noconvert(), nb::arg("others").noconvert(), nb::arg("ties").noconvert(),
          nb::arg("directed"), nb::arg("threads"), Free());
    m.def("triangulate", triangulate, nb::arg("dag").noconvert(), nb::arg("method"), nb::arg("states"), Free());
    m.def("clique_along", clique_along, nb::arg("dag").noconvert(), nb::arg("order").noconvert(), Free());
}
