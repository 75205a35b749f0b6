// SPDX-License-Identifier: Apache-2.0
// Stands in for a toolkit that is too old.
#define CUDART_VERSION 12060
