# SPDX-License-Identifier: Apache-2.0
"""The loop of docs/coming-from.md in PyTorch. It needs a GPU."""
import torch

limit = 0.3
x = torch.ones(1000, dtype=torch.float64, device="cuda")
torch.cuda.synchronize()

# [loop]
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    x /= 2
while x[0].item() > limit:      # waits for the GPU in every iteration
    graph.replay()
# [/loop]

assert (x == 0.25).all().item()
