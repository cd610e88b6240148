//! How a column lies in memory: codes in the narrowest width, texts once each in a dictionary.

mod codes;
mod dictionary;
mod raw;

pub use codes::{Code, Codes, CodesBuilder};
pub use dictionary::Dictionary;
pub use raw::{Provenance, RawColumn, RawTable};
