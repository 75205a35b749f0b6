include(${PROJECT_SOURCE_DIR}/cmake/nccl.cmake)
set(libraries cograph_nccl)
