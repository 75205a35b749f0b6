add_test(NAME example_distributed_poisson COMMAND distributed_poisson --ranks 3 --side 24)
add_test(NAME example_distributed_poisson_in_space COMMAND distributed_poisson --ranks 2 --side 10 --dimensions 3)
add_test(NAME example_distributed_poisson_matrix
    COMMAND distributed_poisson --ranks 3 --matrix ${CMAKE_CURRENT_SOURCE_DIR}/distributed_poisson/small.mtx)
set_tests_properties(example_distributed_poisson example_distributed_poisson_in_space example_distributed_poisson_matrix
    PROPERTIES RESOURCE_LOCK gpu TIMEOUT 300)

# More ranks than GPUs: processes that NCCL takes for hosts of their own, over the loopback.
if(TARGET cograph_nccl)
    set(processes bash ${CMAKE_CURRENT_SOURCE_DIR}/distributed_poisson/processes.sh $<TARGET_FILE:distributed_poisson> 2)
    add_test(NAME example_distributed_poisson_processes COMMAND ${processes} id --side 32)
    add_test(NAME example_distributed_poisson_mpi COMMAND ${processes} mpi --side 32)
    set_tests_properties(example_distributed_poisson_processes example_distributed_poisson_mpi
        PROPERTIES RESOURCE_LOCK gpu TIMEOUT 300 SKIP_RETURN_CODE 77)
    if(NOT MPI_CXX_FOUND)
        set_tests_properties(example_distributed_poisson_mpi PROPERTIES DISABLED TRUE)
    endif()
endif()
