set(libraries CUDA::cufft)
