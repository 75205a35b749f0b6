# SPDX-License-Identifier: Apache-2.0
"""Calls the shared library of docs/howto.md, which lies in the current folder, on a tensor of PyTorch."""
# [call]
import ctypes, torch
library = ctypes.CDLL("./libshrink.so")
x = torch.ones(1000, dtype=torch.float64, device="cuda")
status = library.shrink_tensor(ctypes.c_void_p(x.data_ptr()), ctypes.c_longlong(x.numel()), ctypes.c_double(1e-6),
                               ctypes.c_void_p(torch.cuda.current_stream().cuda_stream))
# [/call]
assert status == 0
torch.cuda.current_stream().synchronize()
assert set(x.tolist()) == {2.0 ** -15}  # the first power whose square, 1 000 times, is at most a millionth
