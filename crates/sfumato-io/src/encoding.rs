//! Character encodings other than UTF-8: decoded while the bytes are read, so that everything
//! behind sees UTF-8.

use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use encoding_rs::{CoderResult, Decoder};
use sfumato_core::{Error, Result};

use crate::converted::is_inside;
use crate::input::Input;
use crate::many::files_of;

/// A character encoding of text files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// The encoding of the web and of most files.
    pub const UTF_8: Encoding = Encoding(encoding_rs::UTF_8);
    /// What programs of Western Windows write; Latin-1 is a part of it.
    pub const WINDOWS_1252: Encoding = Encoding(encoding_rs::WINDOWS_1252);

    /// The name, as in `--encoding` and in reports.
    pub fn name(self) -> String {
        self.0.name().to_ascii_lowercase()
    }

    /// The encoding that a byte order mark at the start proves.
    pub(crate) fn from_mark(start: &[u8]) -> Option<Encoding> {
        encoding_rs::Encoding::for_bom(start).map(|(encoding, _)| Encoding(encoding))
    }
}

impl FromStr for Encoding {
    type Err = Error;
    fn from_str(name: &str) -> Result<Self> {
        let label = name.trim().to_ascii_lowercase();
        let label = match label.as_str() {
            "latin-1" => "latin1",
            "cp1252" | "ansi" => "windows-1252",
            "utf16" => "utf-16",
            "utf16le" => "utf-16le",
            "utf16be" => "utf-16be",
            other => other,
        };
        encoding_rs::Encoding::for_label(label.as_bytes()).map(Encoding).ok_or_else(|| {
            Error::params(format!("unknown encoding '{name}'"))
                .hint("usual ones are utf-8, windows-1252, latin-1 and utf-16; or convert the file")
        })
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// Guess the encoding of a text file from all of its bytes: `None` if it is UTF-8 or can't be read
/// twice. A byte order mark needs no guess. Bytes that aren't UTF-8 are taken for Windows-1252,
/// which reads any byte: somebody must look whether letters with accents are right.
pub fn guess_encoding(path: &str) -> Result<Option<Encoding>> {
    if path == "-" {
        return Ok(None);
    }
    for path in files_of(path)?.unwrap_or_else(|| vec![path.to_string()]) {
        if is_inside(&path) {
            continue;
        }
        let mut input = Input::open(&path, false)?;
        let start = input.peek(1024)?;
        if input.proven || Encoding::from_mark(&start).is_some() {
            continue;
        }
        if let Some(utf16) = without_mark(&start) {
            return Ok(Some(utf16));
        }
        let mut decoder = encoding_rs::UTF_8.new_decoder_without_bom_handling();
        let (mut bytes, mut text) = (vec![0; 1 << 16], vec![0; 1 << 18]);
        loop {
            let n = input
                .reader
                .read(&mut bytes)
                .map_err(|e| crate::input::read_error(&path, input.compression, &e))?;
            let (result, _, _) =
                decoder.decode_to_utf8_without_replacement(&bytes[..n], &mut text, n == 0);
            if matches!(result, encoding_rs::DecoderResult::Malformed(..)) {
                return Ok(Some(Encoding::WINDOWS_1252));
            }
            if n == 0 {
                break;
            }
        }
    }
    Ok(None)
}

/// UTF-16 without a mark: every other byte of a text of Western letters is zero.
fn without_mark(start: &[u8]) -> Option<Encoding> {
    let zeros = |from: usize| start.iter().skip(from).step_by(2).filter(|b| **b == 0).count();
    let half = start.len() / 2;
    let most = |count: usize| half >= 8 && count * 10 >= half * 8;
    match (most(zeros(0)), most(zeros(1))) {
        (true, false) => Some(Encoding(encoding_rs::UTF_16BE)),
        (false, true) => Some(Encoding(encoding_rs::UTF_16LE)),
        _ => None,
    }
}

/// Decodes what it reads.
pub(crate) struct Decoded<R> {
    inner: R,
    decoder: Decoder,
    encoding: Encoding,
    bytes: Vec<u8>,
    /// What was read and not decoded yet.
    pending: std::ops::Range<usize>,
    text: Vec<u8>,
    /// What was decoded and not handed out yet.
    ready: std::ops::Range<usize>,
    is_last: bool,
    is_done: bool,
}

impl<R: Read> Decoded<R> {
    pub(crate) fn new(inner: R, encoding: Encoding) -> Self {
        Decoded {
            inner,
            decoder: encoding.0.new_decoder_with_bom_removal(),
            encoding,
            bytes: vec![0; 1 << 16],
            pending: 0..0,
            text: vec![0; 1 << 17],
            ready: 0..0,
            is_last: false,
            is_done: false,
        }
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.pending.is_empty() && !self.is_last {
            let n = self.inner.read(&mut self.bytes)?;
            self.pending = 0..n;
            self.is_last = n == 0;
        }
        let (result, read, written, has_errors) = self.decoder.decode_to_utf8(
            &self.bytes[self.pending.clone()],
            &mut self.text,
            self.is_last,
        );
        if has_errors {
            let message = format!("there are bytes that aren't {}", self.encoding);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        self.pending.start += read;
        self.ready = 0..written;
        self.is_done = self.is_last && result == CoderResult::InputEmpty;
        Ok(())
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.ready.is_empty() {
            if self.is_done {
                return Ok(0);
            }
            self.fill()?;
        }
        let n = buffer.len().min(self.ready.len());
        let from = self.ready.start;
        buffer[..n].copy_from_slice(&self.text[from..from + n]);
        self.ready.start += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8], encoding: &str) -> io::Result<String> {
        let mut text = String::new();
        Decoded::new(bytes, encoding.parse().unwrap()).read_to_string(&mut text)?;
        Ok(text)
    }

    #[test]
    fn bytes_become_utf_8() {
        assert_eq!(decode(b"Z\xfcrich,\x80 5", "windows-1252").unwrap(), "Zürich,€ 5");
        assert_eq!(decode(b"Z\xfcrich", "Latin-1").unwrap(), "Zürich");
        assert_eq!(decode(b"\xff\xfea\0\xfc\0", "utf-16").unwrap(), "aü");
        assert_eq!(decode(b"\0a\0\xfc", "utf-16be").unwrap(), "aü");
        assert!(decode(b"\0\xd8a\0", "utf-16le").is_err(), "half a pair of surrogates");
        let long = "ü".repeat(200_000);
        let bytes: Vec<u8> = long.encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(decode(&bytes, "utf-16le").unwrap(), long);
        assert!("klingon".parse::<Encoding>().is_err());
    }
}
