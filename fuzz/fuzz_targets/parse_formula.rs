#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    lictor_fuzz::properties::parse_and_print_formula(&String::from_utf8_lossy(bytes));
});
