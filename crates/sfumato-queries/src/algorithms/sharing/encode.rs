//! The text of a query as bytes to be shared: its length and its bytes, filled up so that shares
//! don't tell how long it is.

/// The bytes of a text: its length, its bytes, and zeros up to a multiple of `block`.
pub fn encode(text: &str, block: usize) -> Vec<u8> {
    let mut bytes = (text.len() as u32).to_be_bytes().to_vec();
    bytes.extend_from_slice(text.as_bytes());
    bytes.resize(bytes.len().next_multiple_of(block.max(1)), 0);
    bytes
}

/// The text of bytes. None if they aren't those of a text.
pub fn decode(bytes: &[u8]) -> Option<String> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let length = usize::try_from(u32::from_be_bytes(*length)).ok()?;
    let (text, filling) = rest.split_at_checked(length)?;
    match filling.iter().all(|byte| *byte == 0) {
        true => String::from_utf8(text.to_vec()).ok(),
        false => None,
    }
}
