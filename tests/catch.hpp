// SPDX-License-Identifier: Apache-2.0
// The part of Catch2 the tests use, the same from version 2 and version 3. Only run_tests.cpp defines COGRAPH_TEST_MAIN.
#pragma once

#ifdef COGRAPH_CATCH_DECLARED
#include "lint/catch.hpp"
#elif __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#if __has_include(<catch2/internal/catch_test_failure_exception.hpp>)
#include <catch2/internal/catch_test_failure_exception.hpp>
#endif
#ifdef COGRAPH_TEST_MAIN
#include <catch2/catch_session.hpp>
#endif
using Catch::Approx;  // version 2 has it here already
#else
#ifdef COGRAPH_TEST_MAIN
#define CATCH_CONFIG_RUNNER
#endif
#include <catch2/catch.hpp>
#endif
