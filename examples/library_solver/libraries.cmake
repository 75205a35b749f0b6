set(libraries CUDA::cublas CUDA::cusparse)
