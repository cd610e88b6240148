//! Reads small text files (hierarchies, jobs) as a whole.

use sfumato_core::{Error, Result};

use crate::input::{Input, read_error, read_full};
use crate::readers::blocks::check_text;

/// The largest text that is read as a whole, in bytes: hierarchies of some ten million values. What
/// is larger is no such file, and might have no end.
const MOST: usize = 1 << 30;

/// Read all bytes, if there are at most so many. What begins with a NUL byte is no text, so that
/// `/dev/zero` is refused at once.
fn read_within(input: &mut Input, most: usize) -> Result<Vec<u8>> {
    let (mut bytes, mut piece) = (Vec::new(), vec![0; 1 << 16]);
    loop {
        let n = read_full(&mut input.reader, &mut piece)
            .map_err(|e| read_error(&input.path, input.compression, &e))?;
        bytes.extend_from_slice(&piece[..n]);
        if n == 0 || bytes.starts_with(&[0; 4]) {
            return Ok(bytes);
        }
        if bytes.len() > most {
            let message = format!("this is larger than {} MiB, which no such file is", most >> 20);
            return Err(Error::input(message).in_file(input.name()));
        }
    }
}

/// Read a small file as a whole, decompressed and without its byte order mark. Text that isn't
/// UTF-8 is an error with the line and the byte of the line.
pub fn read_text(path: &str) -> Result<String> {
    let mut input = Input::open(path, false)?;
    let mut bytes = read_within(&mut input, MOST)?;
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let error = Error::input("this looks like UTF-16").in_file(input.name());
        return Err(error.hint("convert the file to UTF-8"));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    if let Some(bad) = check_text(&bytes) {
        return Err(bad.locate(&bytes, input.name(), 1).hint("convert the file to UTF-8"));
    }
    String::from_utf8(bytes).map_err(|_| Error::internal("checked text isn't UTF-8"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn read_bytes(name: &str, bytes: &[u8]) -> Result<String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        read_text(path.to_str().unwrap()).map_err(|mut e| {
            e.place.file = Some(name.into());
            e
        })
    }

    #[test]
    fn marks_and_compression_vanish() {
        assert_eq!(read_bytes("a.txt", b"\xEF\xBB\xBFa\nb").unwrap(), "a\nb");
        assert_eq!(read_bytes("a.txt", b"").unwrap(), "");
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gz.write_all(b"packed").unwrap();
        assert_eq!(read_bytes("a.gz", &gz.finish().unwrap()).unwrap(), "packed");
        assert_eq!(
            read_bytes("a.zst", &zstd::encode_all(&b"packed"[..], 1).unwrap()).unwrap(),
            "packed"
        );
    }

    #[test]
    fn what_has_no_end_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large.csv");
        std::fs::write(&path, "a;b\n".repeat(1 << 19)).unwrap();
        let mut input = Input::open(path.to_str().unwrap(), false).unwrap();
        let error = read_within(&mut input, 1 << 20).unwrap_err();
        assert!(error.message.contains("larger than 1 MiB"), "{error}");
        assert_eq!(error.kind.exit_code(), 2);
        if cfg!(target_os = "linux") {
            let error = read_text("/dev/zero").unwrap_err();
            assert!(error.message.contains("NUL"), "{error}");
        }
    }

    #[test]
    fn bad_bytes_are_located() {
        let message = |bytes: &[u8]| read_bytes("a.txt", bytes).unwrap_err().to_string();
        assert_eq!(message(b"ok\nab\xFFc"), "a.txt:2:3: byte 0xff isn't UTF-8");
        assert_eq!(message(b"ok\n\n\0"), "a.txt:3:1: there is a NUL byte in the text");
        assert_eq!(message(b"\xFF\xFEa\0b\0"), "a.txt: this looks like UTF-16");
        assert_eq!(message(b"a\0b\0c\0d\0"), "a.txt:1:2: this looks like UTF-16");
        let error = read_text("no/such/file").unwrap_err();
        assert_eq!(error.to_string(), "no/such/file: no such file");
    }
}
