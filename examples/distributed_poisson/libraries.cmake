# Ranks are threads; on GPUs they need NCCL.
include(${PROJECT_SOURCE_DIR}/cmake/nccl.cmake)
find_package(Threads REQUIRED)
set(optional_libraries Threads::Threads)
if(TARGET cograph_nccl)
    set_source_files_properties(${source} PROPERTIES COMPILE_DEFINITIONS COGRAPH_WITH_NCCL)
    list(APPEND optional_libraries cograph_nccl)
endif()
