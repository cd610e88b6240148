//! The last net: a panic anywhere becomes an error that says where in the program it happened, and
//! nothing of what it said, since that may hold cells of the data.

use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind};
use std::sync::Mutex;

use sfumato_core::{Error, Result};

/// Where the first panic was that nobody else catches. Later ones follow from it.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Note where panics happen instead of printing what they say.
pub fn spread() {
    std::panic::set_hook(Box::new(note));
}

fn note(info: &PanicHookInfo<'_>) {
    if sfumato_io::panics_are_caught() {
        return;
    }
    let place = info.location().map(|at| format!("{}:{}", at.file(), at.line()));
    let mut noted = PLACE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if noted.is_none() {
        *noted = place;
    }
}

/// Run something. Its panic is an error of our own.
pub fn catch<T>(run: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        let noted = PLACE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let place = noted.as_deref().unwrap_or("an unknown place");
        Err(Error::internal(format!("the program failed at {place}"))
            .hint("this is a bug: please report this place, the version and the command"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_says_where_and_not_what() {
        let hook = std::panic::take_hook();
        spread();
        let error = catch(|| -> Result<()> { panic!("somebody has HIV") }).unwrap_err();
        std::panic::set_hook(hook);
        assert_eq!(error.kind.exit_code(), 70);
        assert!(error.message.contains("last_net.rs:"), "{error}");
        assert!(!error.message.contains("HIV"), "{error}");
        assert_eq!(catch(|| Ok(7)).ok(), Some(7));
    }
}
