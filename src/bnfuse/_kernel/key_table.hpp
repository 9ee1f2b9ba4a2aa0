// Keys of some words each, numbered in the order of arrival: a hash table with open addressing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace bnfuse {

class KeyTable {
public:
    explicit KeyTable(std::size_t key_words) : key_words_(key_words), table_(1 << 8) {}

    struct Found {
        int slot;
        bool fresh;
    };

    // The number of a key; a new one gets the next.
    Found find(const std::uint64_t* key) {
        std::uint64_t hash = 1;
        for (std::size_t i = 0; i < key_words_; ++i) {
            hash = (hash ^ key[i]) * 0x9e3779b97f4a7c15;
            hash ^= hash >> 32;
        }
        std::size_t place = hash & (table_.size() - 1);
        for (; table_[place].slot >= 0; place = (place + 1) & (table_.size() - 1)) {
            const auto& entry = table_[place];
            if (entry.hash == hash && std::equal(key, key + key_words_, keys_.data() + entry.slot * key_words_))
                return {entry.slot, false};
        }
        if (2 * static_cast<std::size_t>(slots_ + 1) > table_.size()) {
            grow();
            return find(key);
        }
        keys_.insert(keys_.end(), key, key + key_words_);
        table_[place] = {hash, slots_};
        return {slots_++, true};
    }

    int size() const { return slots_; }

    void clear() {
        std::ranges::fill(table_, Entry{});
        keys_.clear();
        slots_ = 0;
    }

private:
    struct Entry {
        std::uint64_t hash = 0;
        int slot = -1;
    };
    std::size_t key_words_;
    int slots_ = 0;
    std::vector<Entry> table_; // a power of two of them, at most half in use
    std::vector<std::uint64_t> keys_;

    void grow() {
        std::vector<Entry> larger(2 * table_.size());
        for (const auto& entry : table_) {
            if (entry.slot < 0) continue;
            auto place = entry.hash & (larger.size() - 1);
            while (larger[place].slot >= 0) place = (place + 1) & (larger.size() - 1);
            larger[place] = entry;
        }
        table_ = std::move(larger);
    }
};

} // namespace bnfuse
