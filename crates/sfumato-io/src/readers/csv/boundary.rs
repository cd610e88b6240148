//! Finds the ends of records, fast enough for one thread: newlines outside quotes.
//!
//! A quote opens a quoted field only at the start of a field, as in the record parser: the two must
//! agree on every text without a mistake, and up to the first mistake otherwise.

use memchr::{memchr, memrchr};

/// How a record ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Boundary {
    /// At a newline outside quotes.
    Csv {
        /// The delimiter of fields.
        delimiter: u8,
    },
    /// A record ends at every newline.
    Line,
}

/// The state of a scan from the start of a record.
#[derive(Debug, Default)]
pub(crate) struct BoundaryScan {
    at: usize,
    plain_from: usize,
    quoted: bool,
    /// The end of the last whole record.
    pub(crate) boundary: usize,
    /// The last quote that opened a field.
    pub(crate) opened: usize,
}

impl Boundary {
    /// A scan from the start of a record.
    pub(crate) fn start(self) -> BoundaryScan {
        BoundaryScan::default()
    }
}

impl BoundaryScan {
    /// Scan to the end of the bytes, which have grown since the last call. With `end` there will be
    /// no more.
    pub(crate) fn advance(&mut self, bytes: &[u8], boundary: Boundary, end: bool) {
        let Boundary::Csv { delimiter } = boundary else {
            self.newline_before(bytes, bytes.len());
            return;
        };
        while let Some(found) = memchr(b'"', &bytes[self.at..]) {
            let quote = self.at + found;
            if self.quoted {
                match bytes.get(quote + 1) {
                    Some(b'"') => self.at = quote + 2,
                    // Whether this quote closes can't be known yet: come back to it.
                    None if !end => {
                        self.at = quote;
                        return;
                    }
                    _ => {
                        self.quoted = false;
                        self.at = quote + 1;
                        self.plain_from = quote + 1;
                    }
                }
            } else {
                let opens =
                    quote == 0 || bytes[quote - 1] == delimiter || bytes[quote - 1] == b'\n';
                if opens {
                    self.newline_before(bytes, quote);
                    self.quoted = true;
                    self.opened = quote;
                }
                self.at = quote + 1;
            }
        }
        self.at = bytes.len();
        if !self.quoted {
            self.newline_before(bytes, bytes.len());
        }
    }

    fn newline_before(&mut self, bytes: &[u8], end: usize) {
        if let Some(newline) = memrchr(b'\n', &bytes[self.plain_from..end]) {
            self.boundary = self.plain_from + newline + 1;
        }
        self.plain_from = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> usize {
        let mut whole = Boundary::Csv { delimiter: b',' }.start();
        whole.advance(text.as_bytes(), Boundary::Csv { delimiter: b',' }, true);
        // Scan the same text again, one byte at a time.
        let mut slow = Boundary::Csv { delimiter: b',' }.start();
        for n in 1..=text.len() {
            slow.advance(&text.as_bytes()[..n], Boundary::Csv { delimiter: b',' }, n == text.len());
        }
        assert_eq!(slow.boundary, whole.boundary, "{text:?}");
        whole.boundary
    }

    #[test]
    fn newlines_in_quotes_end_nothing() {
        assert_eq!(cut("a,b\nc"), 4);
        assert_eq!(cut("a,\"b\nc\nd"), 0);
        assert_eq!(cut("a,\"b\nc\"\nd"), 8);
        assert_eq!(cut("a,\"b\"\"\n\"\nd"), 9);
        assert_eq!(cut("x\n\"\"\n\"\"\"\n"), 5);
    }

    #[test]
    fn quotes_inside_plain_fields_open_nothing() {
        assert_eq!(cut("5\" pipe,b\nc\"\nd"), 13);
        assert_eq!(cut("a,b\"\n\"c\n"), 5);
    }
}
