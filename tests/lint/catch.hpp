// SPDX-License-Identifier: Apache-2.0
// What the tests use of Catch2, as declarations: for clang-tidy, which would look at all of Catch2 again for each file, and for tests that are
// only seen to compile.
#pragma once

namespace lint {

void holds(bool);
[[noreturn]] void fails();
bool enters();
void calls(void (*)());

struct message {
    template <class T>
    const message& operator<<(const T&) const;
};
struct number {
    explicit number(double);
    template <class T>
    friend bool operator==(const T&, const number&);
};

template <class...>
struct types;
template <template <class> class Case, template <class...> class List, class... T>
void calls_each(List<T...>*) {
    (calls(Case<T>::run), ...);
}

}  // namespace lint

using Approx = lint::number;

#define LINT_JOIN_BOTH(a, b) a##b
#define LINT_JOIN(a, b) LINT_JOIN_BOTH(a, b)
#define LINT_CASE(run, use) \
    static void run(); \
    void use() { lint::calls(run); } \
    static void run()
#define TEST_CASE(...) LINT_CASE(LINT_JOIN(lint_case_, __LINE__), LINT_JOIN(lint_use_, __LINE__))
// NOLINTBEGIN(bugprone-macro-parentheses)
#define LINT_CASES(of, use, ...) \
    template <class TestType> \
    struct of { \
        static void run(); \
    }; \
    void use() { lint::calls_each<of>(static_cast<__VA_ARGS__*>(nullptr)); } \
    template <class TestType> \
    void of<TestType>::run()
// NOLINTEND(bugprone-macro-parentheses)
#define TEMPLATE_LIST_TEST_CASE(name, tags, ...) LINT_CASES(LINT_JOIN(lint_case_, __LINE__), LINT_JOIN(lint_use_, __LINE__), __VA_ARGS__)
#define TEMPLATE_TEST_CASE(name, tags, ...) LINT_CASES(LINT_JOIN(lint_case_, __LINE__), LINT_JOIN(lint_use_, __LINE__), lint::types<__VA_ARGS__>)
#define SECTION(...) if (lint::enters())
#define DYNAMIC_SECTION(...) if (lint::enters())
#define INFO(...) static_cast<void>(lint::message() << __VA_ARGS__)
#define WARN(...) INFO(__VA_ARGS__)
#define CAPTURE(...) static_cast<void>(0)
#define CHECK(...) lint::holds(static_cast<bool>(__VA_ARGS__))
#define CHECK_FALSE(...) lint::holds(!static_cast<bool>(__VA_ARGS__))
#define REQUIRE(...) lint::holds(static_cast<bool>(__VA_ARGS__))
#define REQUIRE_FALSE(...) CHECK_FALSE(__VA_ARGS__)
#define STATIC_REQUIRE(...) static_assert(__VA_ARGS__)
#define CHECK_NOTHROW(...) static_cast<void>(__VA_ARGS__)
#define REQUIRE_NOTHROW(...) CHECK_NOTHROW(__VA_ARGS__)
#define CHECK_THROWS(...) static_cast<void>(__VA_ARGS__)
// NOLINTBEGIN(bugprone-macro-parentheses)
#define LINT_THROWS(type, ...) \
    try { \
        static_cast<void>(__VA_ARGS__); \
        lint::fails(); \
    } catch (const type&) { \
        lint::enters(); \
    }
// NOLINTEND(bugprone-macro-parentheses)
#define CHECK_THROWS_AS(call, ...) LINT_THROWS(__VA_ARGS__, call)
#define REQUIRE_THROWS_AS(call, ...) LINT_THROWS(__VA_ARGS__, call)
#define CHECK_THROWS_WITH(call, text) static_cast<void>(call), static_cast<void>(text)
#define FAIL(...) \
    do { \
        INFO(__VA_ARGS__); \
        lint::fails(); \
    } while (false)
#define SUCCEED(...) static_cast<void>(0)
