set(libraries CUDA::cudart_static)  # a program of CUDA: there is no form for the host alone
