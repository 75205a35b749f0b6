# SPDX-License-Identifier: Apache-2.0
"""The loop of docs/coming-from.md in Warp, on a GPU if there is one, else on the CPU."""
import warp as wp


@wp.kernel
def halve(x: wp.array(dtype=wp.float64)):
    i = wp.tid()
    x[i] = x[i] / wp.float64(2.0)


@wp.kernel
def decide(x: wp.array(dtype=wp.float64), limit: wp.float64, go_on: wp.array(dtype=wp.int32)):
    go_on[0] = wp.where(x[0] > limit, 1, 0)


n, limit = 1000, 0.3
x = wp.ones(n, dtype=wp.float64)
go_on = wp.ones(1, dtype=wp.int32)

# [loop]
def body():
    wp.launch(halve, dim=n, inputs=[x])
    wp.launch(decide, dim=1, inputs=[x, limit, go_on])  # writes go_on, an int32 array

with wp.ScopedCapture() as capture:
    wp.capture_while(go_on, body)
wp.capture_launch(capture.graph)
# [/loop]

assert (x.numpy() == 0.25).all()
