// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program's operator new, counted for each thread, and failing where a test asks for it.
namespace allocations {

long live();   // of this thread: made less deleted
int calls();   // since expect

// Counts anew; the first-th allocation of this thread from now on, counted from 0, throws std::bad_alloc.
void expect(int first = -1);

}  // namespace allocations
