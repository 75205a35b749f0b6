// SPDX-License-Identifier: Apache-2.0
#pragma once

// Runs the tests that the arguments ask for, and returns the status for main.
int run_tests(int argc, char** argv);
