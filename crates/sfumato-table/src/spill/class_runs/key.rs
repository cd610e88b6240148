//! The key of a class as bytes: the published texts of the quasi columns, one after the other.

use sfumato_core::group::{put_number, take_number};

/// Append a published text to a key. `None` is null, which differs from an empty text.
pub fn put_text(key: &mut Vec<u8>, text: Option<&str>) {
    match text {
        None => key.push(0),
        Some(text) => {
            put_number(key, text.len() as u64 + 1);
            key.extend_from_slice(text.as_bytes());
        }
    }
}

/// The key of some texts.
pub fn key_of<'t>(texts: impl IntoIterator<Item = Option<&'t str>>) -> Vec<u8> {
    let mut key = Vec::new();
    texts.into_iter().for_each(|text| put_text(&mut key, text));
    key
}

/// Take the bytes of the next text off the front of a key, without checking that they are text:
/// equal bytes are equal texts.
pub fn take_text<'k>(key: &mut &'k [u8]) -> Option<Option<&'k [u8]>> {
    match take_number(key)? {
        0 => Some(None),
        length => {
            let (text, rest) = key.split_at_checked(usize::try_from(length - 1).ok()?)?;
            *key = rest;
            Some(Some(text))
        }
    }
}
