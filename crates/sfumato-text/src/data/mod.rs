//! Documents as they are read: their text, and the bytes around it, which leave as they came.

mod corpus;
mod csv;
mod entities;
mod folder;
mod json_lines;
mod literal;
mod mailbox;
mod read;
mod span;
mod table;
mod words;

pub use corpus::{Corpus, Document, Frame, Published, replace};
pub use entities::Entities;
pub use literal::{Literal, Notation};
pub use read::{read, read_from};
pub use span::{Class, Reason, Replaced, Span, SpanLine, read_spans, write_marked, write_spans};
pub use words::{Found, REDACTED, TermIndex, Token, fold, tokens};
