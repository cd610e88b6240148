//! Checks what an Arrow file says about sizes before its decoder believes it: blocks lie inside the
//! file, and decompressed buffers fit into memory.

use arrow_ipc::{Block, RecordBatch, root_as_footer, root_as_message};
use sfumato_core::{Error, Result};

use crate::decoder::{can_allocate, damaged, guarded};
use crate::seekable::Seekable;

/// The length and the magic word at the end of a file.
const TRAILER: u64 = 10;
/// A message begins with these bytes and its length, or in old files with its length alone.
const CONTINUATION: [u8; 4] = [0xFF; 4];

/// Check the blocks of a file. What isn't a footer at all is left to the decoder, which says so.
pub(super) fn check_file(file: &Seekable) -> Result<()> {
    let Some(end) = file.len().checked_sub(TRAILER) else { return Ok(()) };
    let trailer = bytes_at(file, end, TRAILER)?;
    if !trailer.ends_with(b"ARROW1") {
        return Ok(());
    }
    let length = i32::from_le_bytes([trailer[0], trailer[1], trailer[2], trailer[3]]);
    let length = u64::try_from(length).map_err(|_| damaged())?;
    let Some(start) = end.checked_sub(length) else { return Err(damaged()) };
    let footer = bytes_at(file, start, length)?;
    guarded(|| {
        let Ok(footer) = root_as_footer(&footer) else { return Ok(()) };
        let blocks = footer.dictionaries().into_iter().chain(footer.recordBatches());
        blocks.flatten().try_for_each(|block| check_block(file, block))
    })
}

fn check_block(file: &Seekable, block: &Block) -> Result<()> {
    let number = |n: i64| u64::try_from(n).map_err(|_| damaged());
    let (start, body) = (number(block.offset())?, number(block.bodyLength())?);
    let metadata = number(block.metaDataLength().into())?;
    let body_start = start.checked_add(metadata).ok_or_else(damaged)?;
    if body_start.checked_add(body).is_none_or(|end| end > file.len()) {
        return Err(damaged());
    }
    let message = bytes_at(file, start, metadata)?;
    let prefix = if message.starts_with(&CONTINUATION) { 8 } else { 4 };
    let message = message.get(prefix..).ok_or_else(damaged)?;
    check_message(message, |at| {
        let at = body_start.checked_add(at).ok_or_else(damaged)?;
        let bytes = bytes_at(file, at, 8)?;
        bytes.try_into().map_err(|_| damaged())
    })
}

/// Check the sizes in a message. `word_at` gives eight bytes of its body.
pub(super) fn check_message(
    message: &[u8],
    word_at: impl Fn(u64) -> Result<[u8; 8]>,
) -> Result<()> {
    let Ok(message) = root_as_message(message) else { return Err(damaged()) };
    let dictionary = message.header_as_dictionary_batch().and_then(|batch| batch.data());
    let Some(batch) = message.header_as_record_batch().or(dictionary) else { return Ok(()) };
    if batch.length() < 0 {
        return Err(damaged());
    }
    if batch.compression().is_none() { Ok(()) } else { check_compressed(&batch, word_at) }
}

/// A compressed buffer begins with the number of bytes that it will have.
fn check_compressed(
    batch: &RecordBatch<'_>,
    word_at: impl Fn(u64) -> Result<[u8; 8]>,
) -> Result<()> {
    for buffer in batch.buffers().into_iter().flatten().filter(|buffer| buffer.length() > 0) {
        let at = u64::try_from(buffer.offset()).map_err(|_| damaged())?;
        // -1 says that the buffer isn't compressed.
        if let Ok(size) = u64::try_from(i64::from_le_bytes(word_at(at)?))
            && !can_allocate(size)
        {
            return Err(damaged());
        }
    }
    Ok(())
}

/// Some bytes of a file, which must have them.
fn bytes_at(file: &Seekable, start: u64, length: u64) -> Result<Vec<u8>> {
    if start.checked_add(length).is_none_or(|end| end > file.len()) {
        return Err(damaged());
    }
    let (mut bytes, mut filled) = (vec![0; length as usize], 0);
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], start + filled as u64) {
            Ok(0) => return Err(damaged()),
            Ok(n) => filled += n,
            Err(e) => return Err(Error::input(format!("it can't be read: {e}"))),
        }
    }
    Ok(bytes)
}
