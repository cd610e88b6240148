//! Reads small text files (hierarchies, jobs) as a whole.

use std::io::Read;

use sfumato_core::{Error, Result};

use crate::input::{Input, read_error};
use crate::readers::blocks::check_text;

/// Read a small file as a whole, decompressed and without its byte order mark. Text that isn't
/// UTF-8 is an error with the line and the byte of the line.
pub fn read_text(path: &str) -> Result<String> {
    let mut input = Input::open(path, false)?;
    let mut bytes = Vec::new();
    input.reader.read_to_end(&mut bytes).map_err(|e| read_error(path, input.compression, &e))?;
    if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
        let error = Error::input("this looks like UTF-16").in_file(input.name());
        return Err(error.hint("convert the file to UTF-8"));
    }
    if bytes.starts_with(b"\xEF\xBB\xBF") {
        bytes.drain(..3);
    }
    if let Some(bad) = check_text(&bytes) {
        return Err(bad.locate(&bytes, input.name(), 1));
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
