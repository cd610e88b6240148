//! Parses one record of CSV strictly by RFC 4180: quotes, doubled quotes, newlines inside quotes.
//!
//! It parses any record; the fast path for blocks without quotes is in `parse.rs` and must agree
//! with it.

use memchr::{memchr, memchr2};

use crate::readers::blocks::TextError;

/// A field without its quotes: its first byte and the byte after its last.
pub(crate) type Span = (u32, u32);

/// Append the fields of the record at `at` to `fields`, and return where the next record starts.
/// Doubled quotes are undone in place: the text of the block shrinks inside its field.
pub(crate) fn record(
    bytes: &mut [u8],
    mut at: usize,
    delimiter: u8,
    fields: &mut Vec<Span>,
) -> Result<usize, TextError> {
    loop {
        if bytes.get(at) == Some(&b'"') {
            let (span, after) = quoted(bytes, at)?;
            fields.push(span);
            match bytes.get(after) {
                None => return Ok(after),
                Some(b'\n') => return Ok(after + 1),
                Some(b'\r') if bytes.get(after + 1) == Some(&b'\n') => return Ok(after + 2),
                Some(&byte) if byte == delimiter => at = after + 1,
                Some(_) => {
                    return Err(TextError::at(after, "there is text after a closing quote")
                        .hint("a quote inside a quoted field is written twice"));
                }
            }
        } else {
            let Some(length) = memchr2(delimiter, b'\n', &bytes[at..]) else {
                fields.push((at as u32, bytes.len() as u32));
                return Ok(bytes.len());
            };
            let end = at + length;
            if bytes[end] == b'\n' {
                let text_end = if end > at && bytes[end - 1] == b'\r' { end - 1 } else { end };
                fields.push((at as u32, text_end as u32));
                return Ok(end + 1);
            }
            fields.push((at as u32, end as u32));
            at = end + 1;
        }
    }
}

/// The text of the quoted field that opens at `open`, and the place after its closing quote.
fn quoted(bytes: &mut [u8], open: usize) -> Result<(Span, usize), TextError> {
    let start = open + 1;
    let mut at = start;
    let mut doubled = false;
    let close = loop {
        let Some(found) = memchr(b'"', &bytes[at..]) else {
            return Err(TextError::at(open, "a quote opens here and is never closed"));
        };
        let quote = at + found;
        if bytes.get(quote + 1) != Some(&b'"') {
            break quote;
        }
        doubled = true;
        at = quote + 2;
    };
    let end = if doubled { undouble(bytes, start, close) } else { close };
    Ok(((start as u32, end as u32), close + 1))
}

/// Write each doubled quote once. The remaining bytes become quotes, so that no newline is counted
/// twice.
fn undouble(bytes: &mut [u8], start: usize, close: usize) -> usize {
    let mut from = start;
    let mut to = start;
    while from < close {
        let run = memchr(b'"', &bytes[from..close]).map_or(close - from, |n| n + 1);
        bytes.copy_within(from..from + run, to);
        to += run;
        // Past the run comes the second quote of the pair, or the end.
        from += run + 1;
    }
    bytes[to..close].fill(b'"');
    to
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> Result<(Vec<String>, usize), TextError> {
        let mut bytes = text.as_bytes().to_vec();
        let mut spans = Vec::new();
        let next = record(&mut bytes, 0, b',', &mut spans)?;
        let text =
            |&(a, b): &Span| String::from_utf8(bytes[a as usize..b as usize].to_vec()).unwrap();
        Ok((spans.iter().map(text).collect(), next))
    }

    #[test]
    fn all_kinds_of_fields() {
        let (found, next) = fields("a,\"b,\"\"c\"\"\n\",,5\" x,\"\"\r\nrest").unwrap();
        assert_eq!(found, ["a", "b,\"c\"\n", "", "5\" x", ""]);
        assert_eq!(next, 23);
        let (found, next) = fields("\"\"\"\"\n").unwrap();
        assert_eq!(found, ["\""]);
        assert_eq!(next, 5);
        assert_eq!(fields("a,b").unwrap().0, ["a", "b"]);
        assert_eq!(fields("\"a\"").unwrap().0, ["a"]);
        assert_eq!(fields("\n").unwrap().0, [""]);
        assert_eq!(fields("\r\n").unwrap().0, [""]);
    }

    #[test]
    fn mistakes() {
        let error = fields("a,\"b\" c\n").unwrap_err();
        assert_eq!(
            (error.offset, error.message.as_str()),
            (5, "there is text after a closing quote")
        );
        let error = fields("a,\"b\n\"\"").unwrap_err();
        assert_eq!(
            (error.offset, error.message.as_str()),
            (2, "a quote opens here and is never closed")
        );
    }

    #[test]
    fn undoubling_keeps_the_number_of_newlines() {
        let mut bytes = b"\"a\n\"\"b\n\"\"\"\n".to_vec();
        record(&mut bytes, 0, b',', &mut Vec::new()).unwrap();
        assert_eq!(memchr::memchr_iter(b'\n', &bytes).count(), 3);
    }
}
