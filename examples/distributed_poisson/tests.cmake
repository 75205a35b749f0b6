add_test(NAME example_distributed_poisson COMMAND distributed_poisson 3 24)
add_test(NAME example_distributed_poisson_in_space COMMAND distributed_poisson 2 10 3)
set_tests_properties(example_distributed_poisson example_distributed_poisson_in_space PROPERTIES RESOURCE_LOCK gpu TIMEOUT 300)

# More ranks than GPUs: processes that NCCL takes for hosts of their own, over the loopback.
if(TARGET cograph_nccl)
    add_test(NAME example_distributed_poisson_processes
        COMMAND bash ${CMAKE_CURRENT_SOURCE_DIR}/distributed_poisson/processes.sh $<TARGET_FILE:distributed_poisson> 2)
    set_tests_properties(example_distributed_poisson_processes PROPERTIES RESOURCE_LOCK gpu TIMEOUT 300 SKIP_RETURN_CODE 77)
endif()
