//! Services over HTTP: one file or folder per service. Nothing here decides what may be published,
//! and nothing but what people ask for is written down.

mod connections;
mod encryption;
mod names;
mod serve_sets;
mod site;

pub use encryption::Certificate;
pub use serve_sets::serve_sets;
pub use site::{Settings, serve};
