// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <initializer_list>

// A CUDA runtime without a GPU: a test links it in place of NVIDIA's. It keeps the rules that the driver keeps, counts
// what is alive, and fails the call that a test names. Memory is the host's, and kernels are launched but do nothing.
// What a call is given that the driver would not survive, such as a destroyed graph, ends the program with a word.
//
// All that is counted by call belongs to a thread, and what is counted by object is relaxed atomics: a run under
// ThreadSanitizer sees no order between threads that the program under test did not make itself.
namespace fake_runtime {

struct live_objects {
    long memory = 0, pinned = 0, streams = 0, events = 0, pools = 0, graphs = 0, executables = 0, captures = 0, user_objects = 0;
    bool operator==(const live_objects&) const = default;
};
live_objects live();

// Which calls of this thread fail, counted from 0, and with what. Functions that end an object's life do so all the
// same and return the code: the driver reports there what other work has done.
struct failure {
    int first = -1;
    cudaError_t code = cudaSuccess;
    bool after_all = false;  // a device that is lost: no later call works either
    bool twice = false;       // the next call of the same function fails, too
};

// Counts the calls of this thread anew, and forgets what calls before have set of kernels and of this thread.
void expect(failure which = {});

// What was called since then. Calls that ask for errors and for their names are not counted.
int calls();
const char* name_of_call(int number);

// The first eight bytes of a kernel node's parameters, as an update last told its executable; 0 before.
unsigned long long first_parameter(cudaGraphNode_t node);
unsigned long long first_parameter_in_graph(cudaGraphNode_t node);  // the same, as the node itself was last told
// How many nodes a graph has; asking is no call.
std::size_t nodes_in(cudaGraph_t graph);
// The graph that an executable was made of, as it is.
cudaGraph_t graph_of(cudaGraphExec_t exec);
// And how its kernel is launched.
struct launched_shape {
    unsigned blocks, threads;
    bool operator==(const launched_shape&) const = default;
};
launched_shape shape_of(cudaGraphNode_t node);
const void* kernel_of(cudaGraphNode_t node);

// Of which parameter of a kernel this thread asked last, counted from 0.
std::size_t last_parameter_asked();

// How many executables this thread has made, since expect(), whose kernels have priorities: the driver does not tell.
int executables_with_priorities();

// What the next copies of 4 bytes to the host bring in place of what is in memory: values of conditions.
void deliver(std::initializer_list<unsigned> values);

// The compute capability's first number, which decides how persistent kernels are launched; 9 at first.
void set_capability(int major);

// How many bytes of registers kernels for blocks of more than so many threads keep in memory; none at first.
void set_spilling(std::size_t bytes, unsigned threads = 512);

// The compute capability that kernels are compiled for, as 90 for 9.0.
void set_code_version(int version);

// There are two devices. What the driver is for, how many blocks of a kernel a multiprocessor runs at a time, what all pointers lead to, and whether
// streams are being captured.
enum class pointer_kind : unsigned char { device, other_device, pinned, pageable };
void set_driver(int version);
void set_resident_blocks(int blocks);
void set_pointers(pointer_kind kind);
void set_captured(bool is);
void set_invalidated(bool is);  // and what is captured is invalid

// The last memory that this thread got from cudaHostAlloc, all of it set to a value: what kernels would write there.
void fill_pinned(unsigned value);

// Host memory that CUDA does not know, whatever pointers lead to else.
void set_pageable(const void* memory);

// What the number-th kernel that this thread launched by cudaLaunchKernelExC since expect() was asked to have; null where it was not.
const cudaLaunchAttributeValue* asked_of_launch(int number, cudaLaunchAttributeID what);

}  // namespace fake_runtime
