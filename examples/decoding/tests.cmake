# Twelve tokens, a small vocabulary, and arguments that make no sense.
add_test(NAME example_decoding COMMAND decoding)
add_test(NAME example_decoding_small COMMAND decoding --tokens 3 --vocabulary 50 --first 7)
set_tests_properties(example_decoding example_decoding_small PROPERTIES RESOURCE_LOCK gpu TIMEOUT 300)
add_test(NAME example_decoding_first COMMAND decoding --vocabulary 50 --first 50)
set_tests_properties(example_decoding_first PROPERTIES PASS_REGULAR_EXPRESSION "decoding: --first: there are fewer tokens")
