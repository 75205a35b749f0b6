find_package(Python3 COMPONENTS Interpreter REQUIRED)
add_test(NAME example_linear_program COMMAND linear_program)
add_test(NAME example_linear_program_files COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/files_test.py $<TARGET_FILE:linear_program>)
set_tests_properties(example_linear_program example_linear_program_files PROPERTIES RESOURCE_LOCK gpu TIMEOUT 300)
