//! Feeds one target of the mutation fuzzer, with inputs that libFuzzer finds.

/// Make the entry point of a target. A panic is a finding, unless a reader catches it.
macro_rules! target {
    ($name:literal) => {
        libfuzzer_sys::fuzz_target!(
            init: sfumato_fuzz::targets::hide_caught_panics(),
            |input: &[u8]| {
                let target = sfumato_fuzz::targets::find($name).expect("the target is in the list");
                (target.feed)(input);
            }
        );
    };
}
