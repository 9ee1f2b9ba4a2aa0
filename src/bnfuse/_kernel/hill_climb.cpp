#include "hill_climb.hpp"

namespace bnfuse {

HillClimb::HillClimb(const SetRules& rules, const ClimbSetup& setup, FamilyScores& families, Random random)
    : rules_(rules), setup_(setup), families_(families), random_(random), ties_(random_.next()),
      dag_(families.variables(), rules.limit, rules.tables, rules.is_limited()), score_(dag_.size()),
      additions_(dag_.size()), removals_(dag_.size()),
      no_additions_(std::make_shared<const std::vector<Points>>(dag_.size(), refused)), tabu_until_(rules.rules.size()),
      refused_at_(dag_.is_limited() ? rules.rules.size() : 0) {}

Climbed HillClimb::operator()() {
    start();
    try {
        for (int v = 0; v < dag_.size(); ++v) refresh(v);
        climb();
        for (int i = 0; i < setup_.restarts; ++i) {
            perturb();
            climb();
        }
    } catch (const Stopped&) {
        stop_early();
    }
    return best_;
}

// False, with nothing changed, if the arc would close a cycle or is not found to be within the clique limit.
bool HillClimb::add(int u, int v) {
    if (!dag_.order_allows(u, v)) return false;
    dag_.attach(u, v);
    if (!dag_.is_limited() || dag_.fits(v) || dag_.rebuild()) return true;
    dag_.detach(u, v);
    return false;
}

bool HillClimb::reverse(int u, int v) {
    dag_.detach(u, v);
    if (add(v, u)) return true;
    dag_.order_allows(u, v); // the order may have changed in the meantime
    dag_.attach(u, v);
    return false;
}

void HillClimb::start() {
    const Watched whole(nullptr);
    for (int v = 0; v < dag_.size(); ++v)
        for (int u = 0; u < dag_.size(); ++u)
            if (is_required(u, v)) require(add(u, v), "the required arcs do not fit the limit");
    for (int v = 0; v < dag_.size(); ++v)
        require(families_.score(v, dag_.parents(v)) != refused, "the required arcs need a table that is too large");
}

// The network when the time was up: each arc is moved completely, but the scores may be out of date.
void HillClimb::stop_early() {
    const Watched whole(nullptr);
    for (int v = 0; v < dag_.size(); ++v) score_[v] = families_.score(v, dag_.parents(v));
    remember();
    best_.finished = false;
}

void HillClimb::climb() {
    for (int idle = 0;;) {
        while (improve()) {
        }
        idle = remember() ? 1 : idle + 1;
        if (idle > setup_.tabu || !step(refused)) return;
    }
}

// Some arcs of the best network at random.
void HillClimb::perturb() {
    const int n = dag_.size();
    for (int v = 0; v < n; ++v)
        while (!dag_.parents(v).empty()) dag_.detach(dag_.parents(v).back(), v);
    for (int v = 0; v < n; ++v)
        for (const int u : best_.parents[v]) {
            dag_.order_allows(u, v);
            dag_.attach(u, v);
        }
    if (dag_.is_limited()) dag_.rebuild_from(best_.bags);
    std::ranges::fill(tabu_until_, 0);
    last_shrinking_ = static_cast<int>(++moves_made_);
    const int wanted = std::max(2, n / 4);
    const auto any = [&] { return static_cast<int>(random_.below(static_cast<std::uint32_t>(n))); };
    for (int tries = 0, made = 0; tries < 20 * wanted && made < wanted; ++tries) {
        const int u = any(), v = any();
        if (u == v) continue;
        const bool is_there = dag_.has(u, v), turns = random_.below(2);
        if (is_there && is_required(u, v)) continue;
        if (is_there ? turns && !allowed(v, u) : !allowed(u, v)) continue;
        if (is_there ? turns && is_refused(v, u) : is_refused(u, v)) continue;
        made += attempt({0, 0, u, v, !is_there ? Kind::add : turns ? Kind::reverse : Kind::remove});
    }
    for (int v = 0; v < n; ++v) refresh(v);
}

// Whether an arc would make a family that is not allowed: the scores of several do not add up.
bool HillClimb::is_refused(int u, int v) {
    auto parents = dag_.parents(v);
    parents.push_back(u);
    return families_.score(v, parents) == refused;
}

bool HillClimb::improve() {
    if (step(0)) return true;
    if (!dag_.is_limited()) return false;
    last_shrinking_ = static_cast<int>(++moves_made_); // results for an earlier graph do not count at an optimum
    return step(0);
}

// The best move that gains more than the floor and is allowed.
bool HillClimb::step(Points floor) {
    gather(floor);
    std::make_heap(moves_.begin(), moves_.end());
    for (; !moves_.empty(); moves_.pop_back()) {
        std::pop_heap(moves_.begin(), moves_.end());
        const auto move = moves_.back();
        if (is_tabu(move) || !attempt(move)) continue;
        refresh(move.v);
        if (move.kind == Kind::reverse) refresh(move.u);
        return true;
    }
    return false;
}

void HillClimb::gather(Points floor) {
    moves_.clear();
    for (int v = 0; v < dag_.size(); ++v) {
        const auto& added = *additions_[v];
        const auto least = floor == refused ? refused : score_[v] + floor;
        for (int u = 0; u < dag_.size(); ++u)
            if (added[u] > least) offer(added[u] - score_[v], u, v, Kind::add, floor);
        for (const auto& [u, without] : removals_[v]) {
            if (is_required(u, v)) continue;
            const auto removed = without - score_[v];
            offer(removed, u, v, Kind::remove, floor);
            if (const auto turned = (*additions_[u])[v]; turned != refused)
                offer(removed + turned - score_[u], u, v, Kind::reverse, floor);
        }
    }
}

void HillClimb::offer(Points gain, int u, int v, Kind kind, Points floor) {
    if (gain <= floor) return;
    Random tie(ties_, 3 * pair(u, v) + static_cast<std::uint64_t>(kind));
    moves_.push_back({gain, tie.next(), u, v, kind});
}

// Makes the move, unless a cycle or a limit forbids it.
bool HillClimb::attempt(const Move& move) {
    const auto& [gain, tie, u, v, kind] = move;
    if (kind == Kind::remove) {
        dag_.detach(u, v);
    } else if (kind == Kind::reverse) {
        if (!has_room(u) || !reverse(u, v)) return false;
    } else {
        if (!has_room(v)) return false;
        if (dag_.is_limited() && refused_at_[pair(u, v)] >= last_shrinking_) return false;
        if (!dag_.order_allows(u, v)) return false;
        if (!add(u, v)) {
            refused_at_[pair(u, v)] = static_cast<int>(moves_made_);
            return false;
        }
    }
    note(u, v, kind != Kind::add);
    return true;
}

bool HillClimb::is_tabu(const Move& move) const {
    const auto until = tabu_until_[pair(std::min(move.u, move.v), std::max(move.u, move.v))];
    return until > moves_made_ && total() + move.gain <= best_.score;
}

void HillClimb::note(int u, int v, bool shrinks) {
    ++moves_made_;
    tabu_until_[pair(std::min(u, v), std::max(u, v))] = moves_made_ + setup_.tabu;
    if (shrinks) last_shrinking_ = static_cast<int>(moves_made_);
}

void HillClimb::refresh(int v) {
    const auto& parents = dag_.parents(v);
    score_[v] = families_.score(v, parents);
    additions_[v] = has_room(v) ? families_.additions(v, parents) : no_additions_;
    removals_[v].clear();
    for (const int left_out : parents) {
        auto fewer = parents;
        std::erase(fewer, left_out);
        removals_[v].push_back({left_out, families_.score(v, fewer)});
    }
}

Points HillClimb::total() const {
    Points sum = 0;
    for (const auto score : score_) sum += score;
    return sum;
}

bool HillClimb::remember() {
    const auto sum = total();
    if (sum <= best_.score) return false;
    best_.score = sum;
    best_.parents = dag_.parents();
    if (dag_.is_limited()) best_.bags = dag_.bags();
    return true;
}

} // namespace bnfuse
