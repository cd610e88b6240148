//! What every verifier says where a release fails it.

use sfumato_core::Error;

/// What is wrong with a release is our bug, never the user's.
pub fn lie(what: &str) -> Error {
    Error::internal(format!("the release failed its verification and was not written: {what}"))
        .hint("this is a bug in Sfumato; please report it with the job and the version")
}
