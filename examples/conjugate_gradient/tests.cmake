find_package(Python3 COMPONENTS Interpreter REQUIRED)
add_test(NAME example_conjugate_gradient
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/command_line_test.py $<TARGET_FILE:conjugate_gradient>
            ${PROJECT_SOURCE_DIR}/tests/host/data ${COGRAPH_TEST_DATA})
set_tests_properties(example_conjugate_gradient PROPERTIES RESOURCE_LOCK gpu TIMEOUT 600)
