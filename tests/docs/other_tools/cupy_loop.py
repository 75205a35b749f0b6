# SPDX-License-Identifier: Apache-2.0
"""The loop of docs/coming-from.md in CuPy; with NumPy's arrays, which have the same operators, if there is no CuPy or no GPU."""
try:
    import cupy as cp
    cp.cuda.runtime.getDeviceCount()
except Exception:
    import numpy as cp

limit = 0.3
x = cp.ones(1000)

# [loop]
while float(x[0]) > limit:      # waits for the GPU in every iteration
    x /= 2
# [/loop]

assert (x == 0.25).all()
