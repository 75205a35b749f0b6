// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace emulated {

// Keeps the registers that a call leaves as they are, and where they are kept; goes on where `to` says. The C library's swapcontext asks the system for the
// mask of signals each time, which takes longer than all else in these tests.
[[gnu::naked, gnu::noipa]] inline void switch_stacks(void** /* kept */, void* /* to */) {
    asm("push %rbp; push %rbx; push %r12; push %r13; push %r14; push %r15;"
        "mov %rsp, (%rdi); mov %rsi, %rsp;"
        "pop %r15; pop %r14; pop %r13; pop %r12; pop %rbx; pop %rbp; ret");
}

// A function with a stack of its own: it runs where it is resumed, until it pauses. It never returns.
class fiber {
public:
    fiber(char* end_of_stack, void (*function)()) {
        void** const end = reinterpret_cast<void**>(end_of_stack);
        end[-1] = nullptr;  // whom it would return to
        end[-2] = reinterpret_cast<void*>(function);
        own_ = end - 8;  // in front of six registers
    }
    void resume() { switch_stacks(&resumed_from_, own_); }
    void pause() { switch_stacks(&own_, resumed_from_); }

private:
    void *own_, *resumed_from_ = nullptr;
};

}  // namespace emulated
