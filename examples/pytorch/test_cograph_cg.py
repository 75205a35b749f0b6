# SPDX-License-Identifier: Apache-2.0
import pytest
import torch

import cograph_cg

DEVICES = ["cpu", pytest.param("cuda", marks=pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU: only the CPU is tested"))]
needs_gpu = pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU: left out")


def poisson(m, device, dtype=torch.float64, index=torch.int64):
    """The five-point Laplacian of an m by m grid."""
    i = torch.arange(m * m)
    row, column = i // m, i % m
    places = [(i, i, torch.full((m * m,), 4.0))]
    for keep, shift in [(column > 0, -1), (column < m - 1, 1), (row > 0, -m), (row < m - 1, m)]:
        places.append((i[keep], i[keep] + shift, torch.full((int(keep.sum()),), -1.0)))
    rows, columns, values = (torch.cat(parts) for parts in zip(*places))
    A = torch.sparse_coo_tensor(torch.stack([rows, columns]), values.to(dtype), (m * m, m * m)).coalesce().to_sparse_csr()
    return torch.sparse_csr_tensor(A.crow_indices().to(index), A.col_indices().to(index), A.values(), A.shape, device=device)


def parts(A):
    """Tensors of their own: torch.compile does not take views of a sparse tensor."""
    return A.crow_indices().clone(), A.col_indices().clone(), A.values().clone()


def product(A, x):
    rows = torch.repeat_interleave((A.crow_indices()[1:] - A.crow_indices()[:-1]).long())
    return torch.zeros_like(x).index_add(0, rows, A.values().to(x.dtype) * x[A.col_indices().long()])


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("index", [torch.int32, torch.int64])
@pytest.mark.parametrize("m", [20, 90, 182])  # in a cluster, on the whole GPU, and by the solver for many
def test_solves(device, dtype, index, m):
    A = poisson(m, device, dtype, index)
    expected = torch.linspace(-1, 2, m * m, dtype=dtype, device=device)
    b = product(A, expected.to(torch.float64)).to(dtype)
    tolerance = 1e-10 if dtype == torch.float64 else 1e-5
    x, iterations = cograph_cg.solve(A, b, tolerance)
    assert 1 < iterations.item() < 10 * m
    assert (x - expected).abs().max() < 1e3 * tolerance


@pytest.mark.parametrize("device", DEVICES)
def test_sizes_and_values_change(device):
    for m in [3, 20, 4, 20]:
        A = poisson(m, device)
        for scale in [1.0, 3.0]:
            x, _ = cograph_cg.solve(A, scale * torch.ones(m * m, dtype=torch.float64, device=device), 1e-12)
            torch.testing.assert_close(A.to_dense() @ x, scale * torch.ones_like(x))


def of_all_lengths(n, device):
    """Rows of 1, of about a seventh of n and of n - 10 elements."""
    i = torch.arange(n)
    i, j = i[:, None], i[None, :]
    dense = torch.where((i * j % 7 == 0) & (i >= 10) & (j >= 10) & (i != j), -1.0, 0.0).to(torch.float64)
    dense += torch.diag(1 - dense.sum(1))
    return dense.to_sparse_csr().to(device)


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("n", [40, 300, 3000])
def test_rows_of_all_lengths(device, n):
    A = of_all_lengths(n, device)
    expected = torch.linspace(-1, 2, n, dtype=torch.float64, device=device)
    x, iterations = cograph_cg.solve(A, A.to_dense() @ expected, 1e-13)
    assert 1 < iterations.item() < 200
    torch.testing.assert_close(x, expected)


@pytest.mark.parametrize("device", DEVICES)
def test_digits_of_floats(device):
    """A condition of 400 000, at which sums that are predicted in float take twice the iterations."""
    n = 1000
    rod = torch.diag(torch.full((n,), 2.0)) - torch.diag(torch.ones(n - 1), 1) - torch.diag(torch.ones(n - 1), -1)
    b = torch.zeros(n, device=device)
    b[0] = b[-1] = 1
    x, iterations = cograph_cg.solve(rod.to_sparse_csr().to(device), b, 1e-6)
    assert iterations.item() <= 510
    torch.testing.assert_close(x, torch.ones_like(x), rtol=0, atol=1e-6)


@pytest.mark.parametrize("device", DEVICES)
def test_nothing_to_do(device):
    x, iterations = cograph_cg.solve(poisson(4, device), torch.zeros(16, dtype=torch.float64, device=device))
    assert iterations.item() == 0 and not x.any()


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("n", [4, 33000])
def test_no_solution_is_sought_in_vain(device, n):
    """One step, and no more, if A is not positive definite, something is no number or b'b overflows."""
    at = torch.arange(n + 1)

    def one_a_row(columns, value):
        return torch.sparse_csr_tensor(at, columns, torch.full((n,), value, dtype=torch.float64), (n, n)).to(device)

    def diagonal(value):
        return one_a_row(at[:-1], value)

    b = torch.ones(n, dtype=torch.float64, device=device)
    exchange = one_a_row(torch.cat([torch.tensor([1, 0]), at[2:-1]]), 1.0)  # p'Ap is negative in the first step, and positive in the next one
    first_two = torch.zeros_like(b)
    first_two[0], first_two[1] = 1, -2
    for A, right in [(diagonal(-1.0), b), (exchange, first_two)]:
        x, iterations = cograph_cg.solve(A, right)
        assert iterations.item() == 1 and not x.isnan().any()
    bad = b.clone()
    bad[2] = torch.nan
    for A, right in [(diagonal(torch.nan), b), (diagonal(1.0), bad), (diagonal(2.0), 1e200 * b)]:
        x, iterations = cograph_cg.solve(A, right)
        assert iterations.item() == 1 and x.isnan().any()


@pytest.mark.parametrize("device", DEVICES)
def test_limit(device):
    _, iterations = cograph_cg.solve(poisson(20, device), torch.ones(400, dtype=torch.float64, device=device), 1e-12, max_iterations=7)
    assert iterations.item() == 7


@pytest.mark.parametrize("device", DEVICES)
def test_gradients(device):
    A = poisson(3, device)
    values = A.values().clone().requires_grad_()
    b = torch.linspace(1, 2, 9, dtype=torch.float64, device=device, requires_grad=True)

    def solution(v, right):  # symmetric, also where a test changes one value
        full = torch.sparse_csr_tensor(A.crow_indices(), A.col_indices(), v, A.shape).to_dense()
        dense = (full + full.T) / 2
        return torch.linalg.solve(dense, right)

    x, _ = torch.ops.cograph_cg.solve(A.crow_indices(), A.col_indices(), values, b, 1e-14, 1000)
    grad_values, grad_b = torch.autograd.grad((x * torch.arange(9, device=device)).sum(), [values, b])
    expected = solution(values, b)
    expected_values, expected_b = torch.autograd.grad((expected * torch.arange(9, device=device)).sum(), [values, b])
    torch.testing.assert_close(grad_b, expected_b)
    # The gradient of a symmetric matrix is known up to how (i, j) and (j, i) share it.
    symmetric = lambda g: (lambda d: d + d.T)(torch.sparse_csr_tensor(A.crow_indices(), A.col_indices(), g, A.shape).to_dense())
    torch.testing.assert_close(symmetric(grad_values), symmetric(expected_values))


@pytest.mark.parametrize("device", DEVICES)
def test_opcheck(device):
    A = poisson(4, device)
    b = torch.ones(16, dtype=torch.float64, device=device, requires_grad=True)
    torch.library.opcheck(torch.ops.cograph_cg.solve.default, (*parts(A), b, 1e-10, 100))


@pytest.mark.parametrize("device", DEVICES)
def test_compile(device):
    A = poisson(8, device)
    crow, col, values = parts(A)

    @torch.compile(fullgraph=True, backend="aot_eager")
    def program(b):
        x, _ = torch.ops.cograph_cg.solve(crow, col, values, 2 * b, 1e-12, 1000)
        return x + 1

    b = torch.ones(64, dtype=torch.float64, device=device)
    torch.testing.assert_close(program(b), 2 * cograph_cg.solve(A, b, 1e-12)[0] + 1)


@pytest.mark.parametrize("device", DEVICES)
def test_refusals(device):
    A = poisson(4, device)
    b = torch.ones(16, dtype=torch.float64, device=device)
    with pytest.raises(TypeError, match="sparse CSR"):
        cograph_cg.solve(A.to_dense(), b)
    with pytest.raises(TypeError, match="float32 or float64"):
        cograph_cg.solve(torch.sparse_csr_tensor(A.crow_indices(), A.col_indices(), A.values().to(torch.int32), A.shape), b)
    with pytest.raises(TypeError, match="of the type of values"):
        cograph_cg.solve(A, b.float())
    with pytest.raises(ValueError, match="contiguous"):
        cograph_cg.solve(A, torch.ones(32, dtype=torch.float64, device=device)[::2])
    with pytest.raises(ValueError, match="one element more"):
        cograph_cg.solve(A, b[:-1])
    with pytest.raises(ValueError, match="one dimension"):
        cograph_cg.solve(A, b.reshape(4, 4))
    with pytest.raises(ValueError, match="tolerance"):
        cograph_cg.solve(A, b, 0.0)


@needs_gpu
def test_devices_differ():
    with pytest.raises((ValueError, RuntimeError, NotImplementedError)):
        cograph_cg.solve(poisson(4, "cuda"), torch.ones(16, dtype=torch.float64))


@needs_gpu
@pytest.mark.parametrize("mode", ["global", "thread_local", "relaxed"])
def test_captured(mode):
    A = poisson(20, "cuda")
    b = torch.ones(400, dtype=torch.float64, device="cuda")
    cograph_cg.solve(A, b)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, capture_error_mode=mode):
        x, iterations = cograph_cg.solve(A, 2 * b, 1e-12)
        y = x + 1
    for scale in [1.0, 5.0]:
        b.fill_(scale)
        graph.replay()
        torch.testing.assert_close(y, 2 * cograph_cg.solve(A, b, 1e-12)[0] + 1)
        assert iterations.item() > 1
    A.values().mul_(2)
    graph.replay()
    torch.testing.assert_close(A.to_dense() @ x, 2 * b)


@needs_gpu
def test_more_equations_than_in_one_kernel():
    n = 2**22 + 1
    diagonal = torch.linspace(1, 2, n, dtype=torch.float64, device="cuda")
    A = torch.sparse_csr_tensor(torch.arange(n + 1, device="cuda"), torch.arange(n, device="cuda"), diagonal, (n, n))
    b = torch.ones(n, dtype=torch.float64, device="cuda")
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured, _ = cograph_cg.solve(A, 2 * b)
    graph.replay()
    x, iterations = cograph_cg.solve(A, b)
    assert iterations.item() == 1
    torch.testing.assert_close(x, 1 / diagonal)
    torch.testing.assert_close(captured, 2 / diagonal)


@needs_gpu
def test_streams():
    A = poisson(30, "cuda")
    streams = [torch.cuda.Stream() for _ in range(4)]
    results = []
    torch.cuda.synchronize()
    for k in range(40):
        with torch.cuda.stream(streams[k % 4]):
            b = torch.full((900,), float(k + 1), dtype=torch.float64, device="cuda")
            results.append((b, cograph_cg.solve(A, b, 1e-12)[0]))
    torch.cuda.synchronize()
    for b, x in results:
        torch.testing.assert_close(A.to_dense() @ x, b)


@needs_gpu
@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="one GPU: left out")
def test_device_of_the_tensors():
    A = poisson(20, "cuda:1")
    assert torch.cuda.current_device() == 0
    b = torch.ones(400, dtype=torch.float64, device="cuda:1")
    for _ in range(2):
        x, _ = cograph_cg.solve(A, b, 1e-12)
        assert x.device == b.device
        torch.testing.assert_close(A.to_dense() @ x, b)
    assert torch.cuda.current_device() == 0
