// Which of many lists changed since they were copied. The copy is updated in two steps: the first allocates the memory
// that is needed, and may fail without changing the copy; the second cannot fail.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace bnfuse {

class ChangedLists {
public:
    using Lists = std::vector<std::vector<int>>;

    explicit ChangedLists(std::size_t lists = 0) : is_changed_(lists) {}

    void note(int list) {
        if (list >= static_cast<int>(is_changed_.size())) is_changed_.resize(list + 1);
        if (is_changed_[list]) return;
        changed_.push_back(list);
        is_changed_[list] = true;
    }

    template <class ListOf> void prepare(Lists& copy, ListOf&& list_of) {
        fresh_.resize(std::max(fresh_.size(), changed_.size()));
        for (std::size_t i = 0; i < changed_.size(); ++i) {
            const std::vector<int>& list = list_of(changed_[i]);
            fresh_[i].assign(list.begin(), list.end());
        }
        copy.resize(std::max(copy.size(), is_changed_.size()));
    }

    void update(Lists& copy) noexcept {
        for (std::size_t i = 0; i < changed_.size(); ++i) {
            std::swap(copy[changed_[i]], fresh_[i]);
            is_changed_[changed_[i]] = false;
        }
        changed_.clear();
        copy.resize(is_changed_.size()); // never longer than it is
    }

private:
    std::vector<bool> is_changed_;
    std::vector<int> changed_;
    Lists fresh_;
};

} // namespace bnfuse
