//! Small files in formats of nested parts are read as one text; numbers of lines for messages.

use sfumato_core::column::Provenance;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::scan_lines;

/// Read a whole text.
pub(super) fn read_whole(path: &str, observer: &dyn Observer) -> Result<(String, Provenance)> {
    let mut bytes = Vec::new();
    let mut each = |block: &[u8], _: u64| {
        bytes.extend_from_slice(block);
        Ok(())
    };
    let source = scan_lines(path, &mut each, observer)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
        Error::input("the text isn't UTF-8")
            .in_file(path)
            .at_line(line)
            .hint("convert the file to UTF-8")
    })?;
    Ok((text, source))
}

/// The number of the line in which a place of a text lies, from 1.
pub(super) fn line_of(text: &[u8], place: usize) -> u64 {
    1 + text[..place.min(text.len())].iter().filter(|byte| **byte == b'\n').count() as u64
}
