//! Reads and writes flat JSON objects, which is all that JSON lines need.
//!
//! Numbers keep their text, strings are unescaped in place. Lists and objects inside an object are
//! an error: a table has one value per cell.

use crate::readers::blocks::TextError;
use crate::readers::csv::Span;

/// The kind of value in a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Text,
    /// A whole number that fits an i64.
    Integer,
    /// A whole number of at most 38 digits that doesn't fit an i64.
    LongInteger,
    /// Any other number.
    Real,
    Boolean,
    Null,
}

/// One key with its value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Member {
    /// The place of the key, without quotes and unescaped.
    pub(crate) key: Span,
    /// The place of the opening quote of the key.
    pub(crate) at: usize,
    /// The place of the value, without quotes and unescaped.
    pub(crate) value: Span,
    pub(crate) kind: Kind,
}

/// Parse the object in `bytes[start..end]`, which is one line, into `members`.
pub(crate) fn object(
    bytes: &mut [u8],
    start: usize,
    end: usize,
    members: &mut Vec<Member>,
) -> Result<(), TextError> {
    let mut parser = Parser { bytes: &mut bytes[..end], at: start };
    parser.space();
    if parser.peek() != Some(b'{') {
        let hint = "JSON lines have one object per line, not one list in the file";
        return Err(parser.error("a JSON object must begin here").hint(hint));
    }
    parser.at += 1;
    parser.space();
    if parser.peek() == Some(b'}') {
        parser.at += 1;
    } else {
        loop {
            parser.space();
            let at = parser.at;
            if parser.peek() != Some(b'"') {
                return Err(parser.error("a key in quotes must stand here"));
            }
            let key = parser.string()?;
            parser.space();
            if parser.peek() != Some(b':') {
                return Err(parser.error("a ':' must follow the key"));
            }
            parser.at += 1;
            parser.space();
            let (value, kind) = parser.value(key)?;
            members.push(Member { key, at, value, kind });
            parser.space();
            let separator = parser.peek();
            if !matches!(separator, Some(b',' | b'}')) {
                return Err(parser.error("a ',' or '}' must follow the value"));
            }
            parser.at += 1;
            if separator == Some(b'}') {
                break;
            }
        }
    }
    parser.space();
    match parser.peek() {
        None => Ok(()),
        Some(_) => Err(parser.error("there is text after the object")),
    }
}

struct Parser<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Parser<'_> {
    fn error(&self, message: &str) -> TextError {
        TextError::at(self.at, message)
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline]
    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, key: Span) -> Result<(Span, Kind), TextError> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => Ok((self.string()?, Kind::Text)),
            Some(b'{' | b'[') => {
                let key = String::from_utf8_lossy(&self.bytes[key.0 as usize..key.1 as usize]);
                let message = format!("'{key}' holds a list or an object, not a plain value");
                Err(self
                    .error(&message)
                    .hint("flatten the data before: a table has one value per cell"))
            }
            _ => {
                while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
                {
                    self.at += 1;
                }
                let text = &self.bytes[start..self.at];
                let span = (start as u32, self.at as u32);
                match text {
                    b"null" => Ok((span, Kind::Null)),
                    b"true" | b"false" => Ok((span, Kind::Boolean)),
                    _ if is_number(text) => Ok((span, number_kind(text))),
                    _ => {
                        self.at = start;
                        Err(self.error("a JSON value must stand here"))
                    }
                }
            }
        }
    }

    /// Parse the string whose opening quote is here, and unescape it in place.
    fn string(&mut self) -> Result<Span, TextError> {
        let open = self.at;
        let start = open + 1;
        let mut to = start;
        self.at = start;
        loop {
            match self.peek() {
                None => {
                    self.at = open;
                    return Err(self.error("a string begins here and is never closed"));
                }
                Some(b'"') => {
                    let end = self.at;
                    self.at += 1;
                    return Ok((start as u32, (to.min(end)) as u32));
                }
                Some(b'\\') => {
                    let mut utf8 = [0; 4];
                    let text = self.escape()?.encode_utf8(&mut utf8).as_bytes();
                    // An escape is always longer than what it stands for.
                    self.bytes[to..to + text.len()].copy_from_slice(text);
                    to += text.len();
                }
                Some(byte) if byte < 0x20 => {
                    return Err(self.error("a control character must be escaped"));
                }
                Some(byte) => {
                    self.bytes[to] = byte;
                    to += 1;
                    self.at += 1;
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, TextError> {
        let start = self.at;
        self.at += 2;
        let character = match self.bytes.get(start + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(&byte @ (b'"' | b'\\' | b'/')) => byte as char,
            Some(b'u') => {
                let unit = self.hex();
                let code = match unit {
                    Some(high @ 0xD800..0xDC00) if self.bytes[self.at..].starts_with(b"\\u") => {
                        self.at += 2;
                        let low = self.hex().filter(|low| (0xDC00..0xE000).contains(low));
                        low.map(|low| 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
                    }
                    unit => unit,
                };
                match code.and_then(char::from_u32) {
                    Some('\0') => {
                        self.at = start;
                        return Err(self.error("there is a NUL character in a string"));
                    }
                    Some(character) => character,
                    None => {
                        self.at = start;
                        return Err(self.error("this escape stands for no character"));
                    }
                }
            }
            _ => {
                self.at = start;
                return Err(self.error("this escape isn't JSON"));
            }
        };
        Ok(character)
    }

    /// Parse four hexadecimal digits.
    fn hex(&mut self) -> Option<u32> {
        let digits = self.bytes.get(self.at..self.at + 4)?;
        self.at += 4;
        digits.iter().try_fold(0, |code, &digit| Some(code << 4 | char::from(digit).to_digit(16)?))
    }
}

fn number_kind(text: &[u8]) -> Kind {
    if memchr::memchr3(b'.', b'e', b'E', text).is_some() {
        return Kind::Real;
    }
    let digits = text.strip_prefix(b"-").unwrap_or(text).len();
    let fits = std::str::from_utf8(text).is_ok_and(|t| t.parse::<i64>().is_ok());
    match (fits, digits) {
        (true, _) => Kind::Integer,
        (false, ..=38) => Kind::LongInteger,
        _ => Kind::Real,
    }
}

/// Whether a text is a number by the grammar of JSON.
pub(crate) fn is_number(text: &[u8]) -> bool {
    fn digits(text: &[u8]) -> (usize, &[u8]) {
        let n = text.iter().take_while(|b| b.is_ascii_digit()).count();
        (n, &text[n..])
    }
    let text = text.strip_prefix(b"-").unwrap_or(text);
    let (whole, mut rest) = digits(text);
    if whole == 0 || (whole > 1 && text[0] == b'0') {
        return false;
    }
    if let Some(fraction) = rest.strip_prefix(b".") {
        let (n, after) = digits(fraction);
        if n == 0 {
            return false;
        }
        rest = after;
    }
    if let Some(exponent) = rest.strip_prefix(b"e").or_else(|| rest.strip_prefix(b"E")) {
        let exponent =
            exponent.strip_prefix(b"+").or_else(|| exponent.strip_prefix(b"-")).unwrap_or(exponent);
        let (n, after) = digits(exponent);
        if n == 0 {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

/// Append a text as a JSON string.
pub(crate) fn write_string(text: &str, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    out.push(b'"');
    for &byte in text.as_bytes() {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            0..0x20 => {
                let (high, low) = (HEX[(byte >> 4) as usize], HEX[(byte & 15) as usize]);
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', high, low]);
            }
            _ => out.push(byte),
        }
    }
    out.push(b'"');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(line: &str) -> Result<Vec<(String, String, Kind)>, TextError> {
        let mut bytes = line.as_bytes().to_vec();
        let mut members = Vec::new();
        let end = bytes.len();
        object(&mut bytes, 0, end, &mut members)?;
        let text =
            |(a, b): Span| String::from_utf8(bytes[a as usize..b as usize].to_vec()).unwrap();
        Ok(members.iter().map(|m| (text(m.key), text(m.value), m.kind)).collect())
    }

    #[test]
    fn values() {
        let line = concat!(
            r#" {"a": 1.50, "b":"x\ty\u00e9\ud83d\ude00\"", "c":null,"d":true, "#,
            r#""e":-7 ,"f":12345678901234567890} "#
        );
        let found = parse(line).unwrap();
        let expected = [
            ("a", "1.50", Kind::Real),
            ("b", "x\ty\u{e9}\u{1F600}\"", Kind::Text),
            ("c", "null", Kind::Null),
            ("d", "true", Kind::Boolean),
            ("e", "-7", Kind::Integer),
            ("f", "12345678901234567890", Kind::LongInteger),
        ];
        let expected: Vec<_> =
            expected.map(|(k, v, kind)| (k.to_string(), v.to_string(), kind)).into();
        assert_eq!(found, expected);
        assert!(parse("{}").unwrap().is_empty());
    }

    #[test]
    fn mistakes() {
        let of = |line: &str| parse(line).map_err(|e| (e.offset, e.message)).unwrap_err();
        assert_eq!(of("[1]"), (0, "a JSON object must begin here".into()));
        assert_eq!(of("{a:1}"), (1, "a key in quotes must stand here".into()));
        assert_eq!(of(r#"{"a" 1}"#), (5, "a ':' must follow the key".into()));
        assert_eq!(of(r#"{"a":01}"#), (5, "a JSON value must stand here".into()));
        assert_eq!(of(r#"{"a":}"#), (5, "a JSON value must stand here".into()));
        assert_eq!(of(r#"{"a":1 "b":2}"#), (7, "a ',' or '}' must follow the value".into()));
        assert_eq!(of(r#"{"a":1} x"#), (8, "there is text after the object".into()));
        assert_eq!(of(r#"{"a":"x"#), (5, "a string begins here and is never closed".into()));
        assert_eq!(of(r#"{"a":"\x"}"#), (6, "this escape isn't JSON".into()));
        assert_eq!(of(r#"{"a":"\ud800"}"#), (6, "this escape stands for no character".into()));
        assert_eq!(of(r#"{"a":"\u0000"}"#), (6, "there is a NUL character in a string".into()));
        assert_eq!(of("{\"a\":\"\t\"}"), (6, "a control character must be escaped".into()));
        assert_eq!(
            of(r#"{"a":[1]}"#),
            (5, "'a' holds a list or an object, not a plain value".into())
        );
        assert_eq!(of(r#"{"a":"\"#), (6, "this escape isn't JSON".into()));
        assert_eq!(of(r#"{"a":"\u00"#), (6, "this escape stands for no character".into()));
    }

    #[test]
    fn numbers() {
        for text in ["0", "-0", "12", "1.5", "1e5", "1.25E-3", "2e+7"] {
            assert!(is_number(text.as_bytes()), "{text}");
        }
        for text in ["", "-", "01", "1.", ".5", "1e", "NaN", "+1", "1 ", "0x1"] {
            assert!(!is_number(text.as_bytes()), "{text}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn strings_survive(text in "[^\\x00]{0,30}", key in "[^\\x00]{1,5}") {
            let mut line = b"{".to_vec();
            write_string(&key, &mut line);
            line.push(b':');
            write_string(&text, &mut line);
            line.push(b'}');
            let line = String::from_utf8(line).unwrap();
            let value: serde_json::Value = serde_json::from_str(&line).unwrap();
            prop_assert_eq!(value[&key].as_str(), Some(text.as_str()));
            let found = parse(&line).unwrap();
            prop_assert_eq!(&found[0].0, &key);
            prop_assert_eq!(&found[0].1, &text);
        }

        #[test]
        fn any_text_is_read_or_refused(line in "[ {}\\[\\]\",:\\\\a-z0-9u.]{0,40}") {
            let ours = parse(&line);
            // What we take, the reference takes too; we refuse more: nesting and NUL.
            if ours.is_ok() {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok(), "{}", line);
            }
        }
    }
}
