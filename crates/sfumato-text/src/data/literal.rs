//! A text inside a file: where its bytes are, and how its characters are written there.
//!
//! Only what is replaced is written anew. Everything else is copied from the file, with the escapes
//! that it had.

use std::ops::Range;

/// How a text is written inside a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// A string of JSON.
    Json,
    /// As it is: nothing is escaped.
    Plain,
    /// A field of CSV.
    Csv {
        /// The byte between fields.
        delimiter: u8,
    },
}

/// A text inside a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Literal {
    /// The bytes of the file that hold the text, without quotes.
    pub raw: Range<usize>,
    /// Whether there are quotes around them.
    pub is_quoted: bool,
    /// After each escape: how many bytes of the text and of the file came before.
    steps: Vec<(usize, usize)>,
}

impl Literal {
    /// A text that begins at a byte of the file.
    pub fn at(start: usize, is_quoted: bool) -> Literal {
        Literal { raw: start..start, is_quoted, steps: Vec::new() }
    }

    /// An escape ended: so many bytes of the text and of the file came before.
    pub fn step(&mut self, of_text: usize, of_file: usize) {
        self.steps.push((of_text, of_file));
    }

    /// Where in the file a byte of the text is.
    fn place(&self, at: usize) -> usize {
        match self.steps.partition_point(|(of_text, _)| *of_text <= at) {
            0 => self.raw.start + at,
            after => {
                let (of_text, of_file) = self.steps[after - 1];
                of_file + (at - of_text)
            }
        }
    }

    /// Write the literal with parts of the text replaced, quotes included. The parts are in order
    /// and don't overlap.
    pub fn write<'a>(
        &self,
        file: &str,
        parts: impl Iterator<Item = (Range<usize>, &'a str)>,
        notation: Notation,
        out: &mut String,
    ) {
        let mut written = String::new();
        let mut at = self.raw.start;
        let mut needs_quotes = false;
        for (range, text) in parts {
            written.push_str(&file[at..self.place(range.start)]);
            match notation {
                Notation::Json => written.push_str(&escaped(text)),
                Notation::Plain => written.push_str(text),
                Notation::Csv { delimiter } => {
                    let special = |b: u8| b == delimiter || matches!(b, b'"' | b'\n' | b'\r');
                    needs_quotes |= text.bytes().any(special);
                    written.push_str(&text.replace('"', "\"\""));
                }
            }
            at = self.place(range.end);
        }
        written.push_str(&file[at..self.raw.end]);
        match self.is_quoted {
            // Quotes of a field that has them are in the bytes before and after.
            true => out.push_str(&written),
            false if needs_quotes => {
                out.push('"');
                out.push_str(&written);
                out.push('"');
            }
            false => out.push_str(&written),
        }
    }
}

/// A text as it stands between the quotes of a string of JSON.
fn escaped(text: &str) -> String {
    let quoted = serde_json::Value::String(text.to_string()).to_string();
    quoted[1..quoted.len() - 1].to_string()
}
