set(libraries CUDA::cudart_static)  # nvcc alone compiles it
