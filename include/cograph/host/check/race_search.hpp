// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/check/check_report.hpp>
#include <cograph/host/replay/node_runs.hpp>

namespace cograph::core {

// Finds the elements that cause a difference: runs of ever fewer of them, each from the same state.
class race_search {
public:
    explicit race_search(node_runs& runs) : runs_(runs) {}

    // Two elements whose order decides: in which place they meet, and which of them writes there.
    finding search_order(index_t elements) {
        const element_pair found = find_pair(elements_between(0, elements), [&](const std::vector<index_t>& some) { return runs_.differ({}, some, {}, true); });
        finding f;
        f.kind = finding_kind::order_dependence;
        if (found.first < 0 || found.second < 0) return f;
        if (meet_in_writing(found, f)) return f;
        if (reads_from(found.first, found.second, f) || reads_from(found.second, found.first, f)) return f;
        return f;
    }

    // Two elements, one of each half of a run, that write a place.
    finding search_writers(const run_start& start, const touched_variable& t, index_t element, const std::vector<index_t>& half, const std::vector<index_t>& other) {
        const auto changes = [&](const std::vector<index_t>& some) {
            runs_.begin(start);
            const std::size_t size = runs_.memory().info(t.variable).size;
            const char* const place = runs_.memory().work(t.variable) + element * static_cast<index_t>(size);
            const std::vector<char> before(place, place + size);
            runs_.go_on(some);
            return std::memcmp(before.data(), place, size) != 0;
        };
        finding f;
        f.kind = finding_kind::write_write_race;
        f.variable = runs_.memory().info(t.variable).name.read();
        f.element = element;
        const index_t a = find_element(half, changes), b = find_element(other, changes);
        f.first = a < b ? a : b;
        f.second = a < b ? b : a;
        return f;
    }

    // The element whose results change with the initial state of a run.
    index_t search_reader(const run_start& start, index_t elements) {
        return find_element(elements_between(0, elements), [&](const std::vector<index_t>& some) { return runs_.differ({}, some, start, false); });
    }
    // The element that writes to guards of a variable, or to a read-only variable.
    index_t search_writer(int v, bool to_guards, index_t elements) {
        return find_element(elements_between(0, elements), [&](const std::vector<index_t>& some) {
            runs_.run({}, some);
            const checked_memory& m = runs_.memory();
            return to_guards ? !m.is_guarded(v, 0xa5) : std::memcmp(m.work(v), m.master(v), m.bytes(v)) != 0;
        });
    }

private:
    struct written_place {
        const touched_variable* variable;
        index_t element;
    };
    static constexpr run_start poisoned{.poison = 0xff};

    // The writes of one element, perhaps after another; of an out variable, all of them show.
    std::vector<written_place> written_by(index_t element, index_t behind = no_element) {
        std::vector<written_place> places;
        runs_.begin(poisoned);
        if (behind >= 0) runs_.go_on({behind});
        runs_.keep_middle();
        runs_.go_on({element});
        for (const touched_variable& t : runs_.touched()) {
            if (!writes(t.how) || t.is_result) continue;
            const checked_memory& m = runs_.memory();
            find_different(m.middle(t.variable), m.work(t.variable), m.count(t.variable), m.info(t.variable).size, [&](index_t i) {
                places.push_back({&t, i});
                return places.size() >= 4096;
            });
        }
        return places;
    }
    void name_place(finding& f, const written_place& at) const {
        f.variable = runs_.memory().info(at.variable->variable).name.read();
        f.element = at.element;
    }
    bool meet_in_writing(element_pair both, finding& f) {
        const std::vector<written_place> a = written_by(both.first), b = written_by(both.second);
        for (const written_place& x : a)
            for (const written_place& y : b) {
                if (x.variable != y.variable || x.element != y.element) continue;
                name_place(f, x);
                if (x.variable->is_shared()) return true;  // they may, but not so that the order decides
                f.kind = finding_kind::write_write_race;
                f.first = both.first < both.second ? both.first : both.second;
                f.second = both.first < both.second ? both.second : both.first;
                return true;
            }
        return false;
    }
    // Whether one element leaves other results after another; and which of the places that this one writes is the
    // cause.
    bool reads_from(index_t reader, index_t writer, finding& f) {
        const std::vector<written_place> places = written_by(writer), behind = written_by(reader, writer);
        std::vector<written_place> own = written_by(reader);
        own.insert(own.end(), behind.begin(), behind.end());
        const auto is_changed_by = [&](const written_place* only) {
            runs_.run({}, {reader});
            const std::vector<char> alone = bytes_at(own);
            runs_.run({}, {writer});
            runs_.keep_middle();
            if (only) {
                runs_.begin({});
                const checked_memory& m = runs_.memory();
                const index_t size = static_cast<index_t>(m.info(only->variable->variable).size), at = only->element * size;
                std::memcpy(m.work(only->variable->variable) + at, m.middle(only->variable->variable) + at, static_cast<std::size_t>(size));
            }
            runs_.go_on({reader});
            return bytes_at(own) != alone;
        };
        if (!is_changed_by(nullptr)) return false;
        f.kind = finding_kind::read_write_race;
        f.first = reader;
        f.second = writer;
        if (!places.empty()) f.variable = runs_.memory().info(places[0].variable->variable).name.read();
        if (places.size() > 64) return true;
        for (const written_place& place : places)
            if (is_changed_by(&place)) {
                name_place(f, place);
                break;
            }
        return true;
    }
    std::vector<char> bytes_at(const std::vector<written_place>& places) const {
        std::vector<char> all;
        for (const written_place& p : places) {
            const checked_memory& m = runs_.memory();
            const std::size_t size = m.info(p.variable->variable).size;
            const char* const from = m.work(p.variable->variable) + p.element * static_cast<index_t>(size);
            all.insert(all.end(), from, from + size);
        }
        return all;
    }

    node_runs& runs_;
};

}  // namespace cograph::core
