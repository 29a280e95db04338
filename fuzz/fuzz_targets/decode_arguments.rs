#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    lictor_fuzz::properties::decode_arguments(&String::from_utf8_lossy(bytes));
});
