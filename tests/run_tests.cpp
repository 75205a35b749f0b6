// SPDX-License-Identifier: Apache-2.0
#include "run_tests.hpp"

#define COGRAPH_TEST_MAIN
#include "catch.hpp"

int run_tests(int argc, char** argv) { return Catch::Session().run(argc, argv); }
