//! The boundary to the decoders of Parquet and Arrow, which other people wrote: on some damaged
//! files they panic, or ask for more memory than any machine has.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use sfumato_core::{Error, Result};

thread_local! {
    /// How many guarded calls this thread is in.
    static GUARDED: Cell<u32> = const { Cell::new(0) };
}

/// Whether a panic on this thread becomes an error about a damaged file. Whoever reports panics
/// keeps quiet about it then.
pub fn panics_are_caught() -> bool {
    GUARDED.get() > 0
}

/// Call a decoder. Its panic becomes an error without what it said, since that may hold cells.
/// Whatever was being decoded must not be used after an error.
pub(crate) fn guarded<T>(decode: impl FnOnce() -> Result<T>) -> Result<T> {
    GUARDED.set(GUARDED.get() + 1);
    let answer = catch_unwind(AssertUnwindSafe(decode));
    GUARDED.set(GUARDED.get() - 1);
    answer.unwrap_or_else(|_: Box<dyn Any + Send>| Err(damaged()))
}

/// The error for a file whose parts don't fit together.
pub(crate) fn damaged() -> Error {
    Error::input("the file is damaged: its parts don't fit together")
        .hint("write it again from its source, or read it with the tool that made it")
}

/// Whether memory for so many bytes can be had. A decoder that asks for more would end the program
/// without a word. Nothing is kept.
pub(crate) fn can_allocate(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_a_decoder_is_an_error_about_the_file() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| assert!(panics_are_caught())));
        let error = guarded(|| -> Result<()> { panic!("the cell is 42") }).unwrap_err();
        std::panic::set_hook(hook);
        assert!(!error.message.contains("42"), "{error}");
        assert_eq!(error.kind.exit_code(), 2);
        assert!(!panics_are_caught());
        assert_eq!(guarded(|| Ok(1)).ok(), Some(1));
    }

    #[test]
    fn memory_that_no_machine_has_is_refused() {
        assert!(can_allocate(0) && can_allocate(1 << 16));
        assert!(!can_allocate(u64::MAX) && !can_allocate(1 << 62));
    }
}
