# What this project's own tests, examples and benchmarks share. Users of the library get none of it.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release)
endif()
set(CMAKE_CXX_EXTENSIONS OFF)

# OFF is what tests/run takes: a part of each layer, compiled in little time.
option(COGRAPH_TEST_ALL "Build and run all tests" ON)
if(NOT COGRAPH_TEST_ALL)
    set(CMAKE_CXX_FLAGS_RELEASE "-O0")
    set(CMAKE_CUDA_FLAGS_RELEASE "-O0")
endif()

add_library(cograph_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
    set(cograph_warning_flags -Wall -Wextra -Werror -Wshadow)
    # g++ spares the main file from subobject-linkage, but cannot tell which one that is behind nvcc.
    target_compile_options(cograph_warnings INTERFACE
        "$<$<COMPILE_LANGUAGE:CXX>:${cograph_warning_flags}>"
        "$<$<COMPILE_LANGUAGE:CUDA>:-Werror=all-warnings;-Xcompiler=-Wall,-Wextra,-Wshadow,-Wno-subobject-linkage>")
endif()

# g++ collects its garbage at 128 MB already, which takes a tenth of its time. Where there is memory for each core it waits.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY)
    cmake_host_system_information(RESULT cores QUERY NUMBER_OF_LOGICAL_CORES)
    math(EXPR memory "${memory} / ${cores}")
    if(memory GREATER 6000)
        set(cograph_later_collections --param=ggc-min-heapsize=2000000)
        add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:${cograph_later_collections}>"
            "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=${cograph_later_collections}>")
    endif()
endif()

# Several architectures of a file at once, unless this is asked for already.
set(cograph_nvcc_flags "${CMAKE_CUDA_FLAGS} $ENV{CUDAFLAGS} $ENV{NVCC_PREPEND_FLAGS} $ENV{NVCC_APPEND_FLAGS}")
if(PROJECT_IS_TOP_LEVEL AND NOT cograph_nvcc_flags MATCHES "(^| )(-t|--threads)[ =0-9]")
    add_compile_options("$<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:--threads=4>")
endif()

set(cograph_default_data ${PROJECT_SOURCE_DIR}/../shared/data)
if(NOT EXISTS ${cograph_default_data})
    set(cograph_default_data "")
endif()
set(COGRAPH_TEST_DATA "${cograph_default_data}" CACHE PATH
    "Folder of Matrix Market files; the tests that use them skip without it")

# OFF is what tests/run --all takes where there is no GPU: programs that need one are only seen to compile, without machine code.
option(COGRAPH_RUN_ON_GPU "Build programs that need a GPU so that they run" ON)
if(NOT COGRAPH_RUN_ON_GPU)
    set(CMAKE_CUDA_FLAGS_RELEASE "-DNDEBUG")  # not optimized, but for the examples
endif()

# nvcc 13 optimizes kernels whatever -O says, unless it is told this. PTX that is not optimized is long, and gcc reads it as text: up to
# 400 MB if it is not compressed.
set(cograph_kernels_unoptimized "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<VERSION_GREATER_EQUAL:$<CUDA_COMPILER_VERSION>,13.0>>:-Ofc=max;--compress-mode=speed>")

function(cograph_needs_gpu)
    if(COGRAPH_RUN_ON_GPU)
        return()
    endif()
    set(virtual ${CMAKE_CUDA_ARCHITECTURES})
    list(TRANSFORM virtual REPLACE "^([0-9]+[a-z]?)(-real)?$" "\\1-virtual")
    foreach(target IN LISTS ARGV)
        set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES "${virtual}")
        target_compile_options(${target} PRIVATE "${cograph_kernels_unoptimized}")
    endforeach()
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/together.cmake)

# A program that needs a GPU. Where it is only seen to compile, nothing is linked, sources are read together, g++ makes no code of what nvcc
# hands it, and declarations stand for Catch2. nvcc stops where a linker would go on to PTX, which spares a quarter to half of the time: the PTX of the
# examples and of the tests with failing calls is what ptxas reads.
function(cograph_add_gpu_program name)
    if(COGRAPH_RUN_ON_GPU)
        add_executable(${name} ${ARGN})
        return()
    endif()
    set(others ${ARGN})
    list(FILTER others EXCLUDE REGEX "\\.cu$")
    set(sources ${ARGN})
    list(FILTER sources INCLUDE REGEX "\\.cu$")
    cograph_together(sources ${name} 4 ${sources})
    add_library(${name} OBJECT ${sources} ${others})
    set(for_linker ${CMAKE_CUDA_ARCHITECTURES})
    if(for_linker MATCHES "^[0-9;]+$")
        list(TRANSFORM for_linker REPLACE "(.+)" "--generate-code=arch=compute_\\1,code=lto_\\1")
        set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES OFF)
        # Kernels are then hidden, and so are types that name them: g++ warns of each struct that holds one.
        target_compile_options(${name} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:-rdc=true;-Xcompiler=-Wno-attributes;${for_linker}>")
    else()
        cograph_needs_gpu(${name})
    endif()
    set_target_properties(${name} PROPERTIES CUDA_COMPILER_LAUNCHER "sh;${PROJECT_SOURCE_DIR}/cmake/check_only.sh")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fsyntax-only>)
    target_compile_definitions(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:COGRAPH_CATCH_DECLARED>)
endfunction()

# A test that runs such a program, or skips: cograph_add_gpu_test(NAME TIMEOUT COMMAND...). Where it is only seen to compile, ctest
# names the test as skipped.
function(cograph_add_gpu_test name timeout)
    if(NOT COGRAPH_RUN_ON_GPU)
        set(ARGN ${CMAKE_COMMAND} -E echo "no GPU: GPU tests skipped")
    endif()
    add_test(NAME ${name} COMMAND ${ARGN})
    set_tests_properties(${name} PROPERTIES SKIP_REGULAR_EXPRESSION "no GPU: GPU tests skipped" RESOURCE_LOCK gpu TIMEOUT ${timeout})
endfunction()

# Tests of what is computed, not of how fast: optimizing them takes longer than running them without.
function(cograph_optimize_little)
    if(COGRAPH_TEST_ALL)
        foreach(target IN LISTS ARGV)
            target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
        endforeach()
    endif()
endfunction()

find_program(COGRAPH_CLANG clang++)

# The include directories a target compiles with, as flags for a compiler that CMake does not drive.
function(cograph_include_flags target result)
    set(directories "$<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,^/usr/include/?$>")
    set(${result} "$<$<BOOL:${directories}>:-I$<JOIN:${directories},;-I>>" PARENT_SCOPE)
endfunction()

# Checks sources of an object library with clang++ too, where it is installed and is not the compiler already; further
# arguments are flags for it.
function(cograph_check_with_clang target sources)
    if(NOT COGRAPH_TEST_ALL OR NOT COGRAPH_CLANG OR CMAKE_CXX_COMPILER_ID MATCHES Clang)
        return()
    endif()
    cograph_include_flags(${target} includes)
    set(stamps)
    foreach(source IN LISTS sources)
        cmake_path(GET source STEM name)
        set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${name}.clang)
        add_custom_command(OUTPUT ${stamp} DEPENDS ${source} DEPFILE ${stamp}.d
            COMMAND ${COGRAPH_CLANG} -std=c++20 -fsyntax-only ${cograph_warning_flags} ${ARGN} "${includes}"
                    -MD -MF ${stamp}.d -MT ${stamp} ${source}
            COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
            COMMENT "Checking ${name} with clang++" COMMAND_EXPAND_LISTS VERBATIM)
        list(APPEND stamps ${stamp})
    endforeach()
    add_custom_target(${target}_clang ALL DEPENDS ${stamps})
endfunction()
