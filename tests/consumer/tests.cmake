# Configures, builds and runs the consumer project both ways.
set(consumer_install ${CMAKE_CURRENT_BINARY_DIR}/consumer/install)
set(consumer_options -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
    -DCONSUMER_CUDA=${COGRAPH_HAS_CUDA})
if(COGRAPH_HAS_CUDA)
    list(APPEND consumer_options -DCMAKE_CUDA_COMPILER=${CMAKE_CUDA_COMPILER}
        "-DCMAKE_CUDA_ARCHITECTURES=${CMAKE_CUDA_ARCHITECTURES}")
endif()

function(add_consumer_test way)
    add_test(NAME consumer_${way} COMMAND ${CMAKE_CTEST_COMMAND}
        --build-and-test ${CMAKE_CURRENT_SOURCE_DIR}/consumer ${CMAKE_CURRENT_BINARY_DIR}/consumer/${way}
        --build-generator ${CMAKE_GENERATOR} --build-noclean
        --build-options ${consumer_options} ${ARGN}
        --test-command consumer)
    set_tests_properties(consumer_${way} PROPERTIES TIMEOUT 600 FAIL_REGULAR_EXPRESSION "incompatible redefinition")
endfunction()

add_consumer_test(add_subdirectory -DCOGRAPH_SOURCE=${PROJECT_SOURCE_DIR})
add_consumer_test(fetch_content -DCOGRAPH_FETCHED_SOURCE=${PROJECT_SOURCE_DIR} -DCONSUMER_CUDA=OFF)
find_package(Git QUIET)
if(GIT_FOUND)
    execute_process(COMMAND ${GIT_EXECUTABLE} -C ${PROJECT_SOURCE_DIR} rev-parse HEAD OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(commit)
        add_consumer_test(fetch_git -DCOGRAPH_FETCHED_SOURCE=${PROJECT_SOURCE_DIR} -DCOGRAPH_FETCHED_COMMIT=${commit} -DCONSUMER_CUDA=OFF)
    endif()
endif()

add_test(NAME consumer_install
    COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${consumer_install})
set_tests_properties(consumer_install PROPERTIES FIXTURES_SETUP consumer_installed)
add_consumer_test(find_package -Dcograph_ROOT=${consumer_install})
set_tests_properties(consumer_find_package PROPERTIES FIXTURES_REQUIRED consumer_installed)
