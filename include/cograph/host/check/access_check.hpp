// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cograph/host/check/race_search.hpp>
#include <cograph/host/check/unset_elements.hpp>

namespace cograph::core {

// A finding of a check: its kind, place and time.
class finding_sink {
public:
    virtual void found(const plan_node& r, finding f) = 0;
    virtual bool is_known(const plan_node& r, finding_kind kind) const = 0;

protected:
    ~finding_sink() = default;
};

// The use of the variables that a node declares to write or read. Does it write all elements of an out variable? Does it
// need elements that no node has written? Does it need its inputs?
class access_check {
public:
    access_check(const frame& f, const checked_memory& memory, node_runs& runs, finding_sink& sink) : f_(f), memory_(memory), runs_(runs), sink_(sink), unset_(f) {}

    // After the first run of a node.
    void look_at(const plan_node& r, std::vector<touched_variable>& touched, index_t elements) {
        r_ = &r;
        touched_ = &touched;
        elements_ = elements;
        for (touched_variable& t : touched)
            if (writes(t.how) && !t.was_written && std::memcmp(memory_.first(t.variable), memory_.master(t.variable), memory_.bytes(t.variable)) != 0)
                t.was_written = true;
    }
    // After a run in which variables that are only written held ones, then after one in which they held zeros: an
    // element that keeps both is not written.
    void note_ones() {
        unwritten_.clear();
        part_.clear();
        if (elements_ > 0 && is_over_a_part(*r_)) part_ = runs_.numbers_of_part();
        for (touched_variable& t : *touched_)
            if (t.only_written()) unwritten_.push_back({&t, elements_with(t, 0xff, t.whole || part_.empty() ? nullptr : &part_)});
    }
    void note_zeros() {
        for (candidates& c : unwritten_) c.elements = elements_with(*c.variable, 0x00, &c.elements);
    }
    void report_unwritten() {
        for (const candidates& c : unwritten_) report_unwritten(*c.variable, c.elements);
    }

    // Whether a node may read elements that no node has written.
    bool has_unset(const std::vector<touched_variable>& touched, index_t elements) {
        for (const touched_variable& t : touched)
            if (!t.only_written() && unset_.may_reach(t, elements)) return true;
        return false;
    }
    // Whether results change with unwritten elements; and which of them are written now.
    void look_for_unset() {
        for (const touched_variable& t : *touched_) {
            const int v = t.variable;
            unset_memory& unset = unset_.of(v);
            if (t.only_written() || !unset_.may_reach(t, is_over_a_part(*r_) ? 0 : elements_)) continue;
            run_start start{.unset = v, .unset_elements = &unset.elements, .unset_byte = 0x00};
            const auto differ = [&](const std::vector<index_t>& some) {
                start.unset_elements = &some;
                runs_.run(start, element_run{});
                return static_cast<bool>(runs_.find(start));
            };
            if (differ(unset.elements) || (start.unset_byte = 0xff, differ(unset.elements))) {
                finding f = about(finding_kind::unset_read, v, writes(t.how) ? find_element(unset.elements, differ) : find_unset_read(v, unset.elements));
                f.origin = unset.origin;
                start.unset_elements = &unset.elements;
                if (elements_ > 0) f.first = race_search(runs_).search_reader(start, elements_);
                sink_.found(*r_, f);
            }
            if (!writes(t.how)) continue;
            start.unset_byte = 0xff;
            differ(unset.elements);
            const index_t size = static_cast<index_t>(memory_.info(v).size);
            std::erase_if(unset.elements, [&](index_t i) {
                return !holds_byte(memory_.work(v) + i * size, static_cast<std::size_t>(size), start.unset_byte) ||
                       std::memcmp(memory_.first(v) + i * size, memory_.master(v) + i * size, static_cast<std::size_t>(size)) != 0;
            });
        }
    }
    // Whether results change with the contents of a variable; tried until they have.
    void look_for_hints() {
        for (touched_variable& t : *touched_) {
            const int v = t.variable;
            const auto is_done = [&] { return t.may_be_read && (t.was_written || !writes(t.how)); };
            if (!reads(t.how) || is_done()) continue;
            if (!memory_.can_be_disturbed(v)) {
                t.may_be_read = true;
                continue;
            }
            const index_t all = memory_.count(v);
            if (!writes(t.how) && can_ask_few() && few_need(v, all / 16)) t.may_be_read = true;
            if (is_done()) continue;
            for (const index_t some : {all / 16, all}) {  // few are enough if they are needed
                if (some < all && some < 32) continue;
                runs_.begin(run_start{.disturbed = v, .disturbed_count = some});
                const bool looks = writes(t.how) && !t.was_written;
                if (looks) memory_.keep_middle(t);
                runs_.go_on();
                t.may_be_read = t.may_be_read || runs_.find({});
                t.was_written = t.was_written || (looks && std::memcmp(memory_.work(v), memory_.middle(v), memory_.bytes(v)) != 0);
                if (is_done()) break;
            }
        }
    }

    // After a node that runs once.
    void saw(const plan_node& r) { unset_.saw(r); }
    // After a node that is not checked, and is the library's own or not.
    void pass_over(const plan_node& r, bool is_own) {
        int v = 0;
        const index_t element = is_own ? unset_.read_by(r, v) : -1;
        if (element >= 0) {
            finding f = about(finding_kind::unset_read, v, element);
            f.origin = unset_.of(v).origin;
            sink_.found(r, f);
        }
        unset_.saw(r);
    }

    // A finding about a variable of the node.
    finding about(finding_kind kind, int v, index_t element = -1) const {
        finding f;
        f.kind = kind;
        f.variable = memory_.info(v).name.read();
        f.element = element;
        return f;
    }

private:
    // Elements of a variable that is only written, which still hold the byte that a run began with.
    struct candidates {
        touched_variable* variable;
        std::vector<index_t> elements;
    };

    // Whether a part of many elements can tell what all would: if no two of them write one place.
    bool can_ask_few() const {
        if (elements_ <= most_checked_well) return false;
        for (const touched_variable& t : *touched_)
            if (writes(t.how) && t.is_shared()) return false;
        return true;
    }
    // Whether the first elements of the node, with other values in the first elements of a variable, change a place to what
    // the first run has not left there. Where several elements may write the place, they must not leave the same there
    // without those values.
    bool few_need(int v, index_t disturbed) {
        runs_.begin(run_start{.disturbed = v, .disturbed_count = disturbed});
        runs_.go_on_before(elements_ / 16);
        for (const touched_variable& t : *touched_) {
            if (!writes(t.how)) continue;
            const std::size_t size = memory_.info(t.variable).size;
            const auto at = [&](const char* memory, index_t i) { return memory + i * static_cast<index_t>(size); };
            const char *const work = memory_.work(t.variable), *const first = memory_.first(t.variable);
            const auto is_new = [&](index_t i) { return std::memcmp(at(work, i), at(first, i), size) != 0; };
            const index_t place = find_different(work, memory_.master(t.variable), memory_.count(t.variable), size, is_new);
            if (place < 0) continue;
            if (!t.whole) return true;
            const std::vector<char> there(at(work, place), at(work, place + 1));
            runs_.begin({});
            runs_.go_on_before(elements_ / 16);
            return std::memcmp(at(work, place), there.data(), size) != 0;
        }
        return false;
    }

    // The elements that a node should write, of those given or of all, that hold a byte.
    std::vector<index_t> elements_with(const touched_variable& t, unsigned char byte, const std::vector<index_t>* among) const {
        std::vector<index_t> found;
        const std::size_t size = memory_.info(t.variable).size;
        const char* const work = memory_.work(t.variable);
        const index_t count = t.whole || elements_ == 0 ? memory_.count(t.variable) : elements_;
        const auto look = [&](index_t i) {
            const char* const at = work + i * static_cast<index_t>(size);
            if (static_cast<unsigned char>(*at) == byte && holds_byte(at, size, byte)) found.push_back(i);
        };
        if (among)
            for (const index_t i : *among) look(i);
        else
            for (index_t i = 0; i < count; ++i) look(i);
        return found;
    }
    // An element that a node gets by itself must be written, and so must a scalar that it gets by reference; of memory that arrives whole,
    // something, in some run.
    void report_unwritten(touched_variable& t, const std::vector<index_t>& elements) {
        if (r_->from->traits->groups_for && r_->from->name.mark == 0) {  // a scan writes all, a compaction perhaps nothing
            t.was_written = true;
            return unset_.set(t.variable, memory_.count(t.variable));
        }
        const index_t count = t.whole || elements_ == 0 ? memory_.count(t.variable) : elements_;
        const bool is_part = !t.whole && !part_.empty();
        const bool none = static_cast<index_t>(elements.size()) == count;
        t.was_written = t.was_written || !none;
        if (is_part)
            unset_.set(t.variable, part_);
        else
            unset_.set(t.variable, count);
        if (t.whole) unset_.of(t.variable) = {elements, elements.empty() ? place{} : place_of(f_, *r_), false};
        const bool must_write = !t.whole || (memory_.info(t.variable).kind == variable_kind::scalar && !r_->from->traits->is_opaque);
        if (elements.empty() || (none && !must_write) || sink_.is_known(*r_, finding_kind::out_read)) return;
        if (!must_write && memory_.info(t.variable).kind == variable_kind::temp && r_->from->name.mark == 0) return;  // the library's own matter
        finding f = about(must_write ? finding_kind::out_not_written : finding_kind::partly_written, t.variable, none ? -1 : elements[0]);
        f.is_hint = !must_write;
        sink_.found(*r_, f);
    }

    // Which of the unset elements of a read-only variable is the cause: they are all zero, and one by one all ones.
    // They may hold NaN, which other elements cannot change.
    index_t find_unset_read(int v, const std::vector<index_t>& elements) {
        const run_start zero{.unset = v, .unset_elements = &elements, .unset_byte = 0x00};
        return find_element(elements, [&](const std::vector<index_t>& some) {
            runs_.run(zero, element_run{});
            runs_.keep_middle();
            runs_.begin(zero);
            const std::size_t size = memory_.info(v).size;
            for (const index_t i : some) std::memset(memory_.work(v) + static_cast<std::size_t>(i) * size, 0xff, size);
            runs_.go_on();
            return static_cast<bool>(runs_.find({}, true));
        });
    }

    const frame& f_;
    const checked_memory& memory_;
    node_runs& runs_;
    finding_sink& sink_;
    unset_elements unset_;
    std::vector<candidates> unwritten_;
    std::vector<index_t> part_;  // the numbers of the elements, if they are a part of the domain's
    const plan_node* r_ = nullptr;
    std::vector<touched_variable>* touched_ = nullptr;
    index_t elements_ = 0;
};

}  // namespace cograph::core
