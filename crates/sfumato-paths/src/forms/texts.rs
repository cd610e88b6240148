//! A column of a release that is written text by text.

use sfumato_core::FastMap;
use sfumato_core::column::Dictionary;

/// Texts with their codes.
#[derive(Default)]
pub(crate) struct Texts {
    /// The code of each row.
    pub codes: Vec<u32>,
    /// The different texts.
    pub values: Dictionary,
    known: FastMap<String, u32>,
}

impl Texts {
    /// Append a row.
    pub fn push(&mut self, text: String) {
        let code = match self.known.get(&text) {
            Some(code) => *code,
            None => {
                let code = self.values.push(&text);
                self.known.insert(text, code);
                code
            }
        };
        self.codes.push(code);
    }
}
