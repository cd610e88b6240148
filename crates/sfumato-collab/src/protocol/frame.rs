//! Frames: a message with its session, its sender and its number. A frame that isn't whole is
//! refused, and nothing longer than the limit is ever read into memory.

use serde::{Deserialize, Serialize};
use sfumato_core::{Error, Result};

use super::{Message, VERSION};

/// The largest frame, in bytes.
pub const MOST_BYTES: usize = 256 << 20;

/// The number of a session.
pub type SessionId = [u8; 16];

/// A frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The version of the protocol.
    pub version: u16,
    /// The session to which it belongs.
    pub session: SessionId,
    /// The seat of its sender.
    pub from: u16,
    /// Its place among those of this sender to this receiver, from 0 on.
    pub number: u64,
    /// The message.
    pub message: Message,
}

impl Frame {
    /// The bytes of a frame: how many follow, a checksum, and the frame.
    pub fn encode(&self) -> Result<Vec<u8>> {
        let body = postcard::to_allocvec(self)
            .map_err(|error| Error::internal(format!("a message can't be written: {error}")))?;
        if body.len() > MOST_BYTES {
            return Err(Error::resources(format!(
                "a message of {} bytes is longer than the {MOST_BYTES} that are allowed",
                body.len()
            ))
            .hint("divide the tables, or take fewer columns"));
        }
        Ok(Self::with_head(&body))
    }

    /// Bytes with the head that fits them: how many they are, and their checksum.
    pub fn with_head(body: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(body.len() + 8);
        bytes.extend((body.len() as u32).to_le_bytes());
        bytes.extend(checksum(body).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// The frame of some bytes, which must be exactly one.
    pub fn decode(bytes: &[u8]) -> Result<Frame> {
        let broken = |what: &str| Error::input(format!("a message is broken: {what}"));
        let (head, body) =
            bytes.split_at_checked(8).ok_or_else(|| broken("it ends within its head"))?;
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if word(0) as usize != body.len() {
            return Err(broken("it hasn't the length that it states"));
        }
        if word(4) != checksum(body) {
            return Err(broken("its checksum is wrong"));
        }
        let (frame, rest): (Frame, _) = postcard::take_from_bytes(body)
            .map_err(|error| broken(&format!("it can't be read ({error})")))?;
        if !rest.is_empty() {
            return Err(broken("something follows it"));
        }
        if frame.version != VERSION {
            return Err(Error::unsupported(format!(
                "a party speaks version {} of the protocol, and this is version {VERSION}",
                frame.version
            ))
            .hint("let all holders install the same version"));
        }
        Ok(frame)
    }
}

/// A checksum against accidents; TLS guards against everybody else.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |hash: u32, byte: &u8| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193);
    bytes.iter().fold(0x811c_9dc5, step)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frame() -> Frame {
        let message = Message::Share(vec![1, 2, u64::MAX]);
        Frame { version: VERSION, session: [7; 16], from: 1, number: 3, message }
    }

    #[test]
    fn a_frame_is_read_as_it_was_written() {
        assert_eq!(Frame::decode(&frame().encode().unwrap()).unwrap(), frame());
    }

    #[test]
    fn no_part_of_a_frame_is_a_frame() {
        let bytes = frame().encode().unwrap();
        for length in 0..bytes.len() {
            assert!(Frame::decode(&bytes[..length]).is_err(), "{length}");
        }
        let mut longer = bytes.clone();
        longer.push(0);
        assert!(Frame::decode(&longer).is_err());
    }

    #[test]
    fn another_version_is_refused() {
        let other = Frame { version: VERSION + 1, ..frame() };
        let error = Frame::decode(&other.encode().unwrap()).unwrap_err();
        assert!(error.message.contains("version 2"), "{error}");
    }

    proptest! {
        #[test]
        fn a_changed_byte_is_seen(at in 0usize..64, by in 1u8..) {
            let mut bytes = frame().encode().unwrap();
            let at = at % bytes.len();
            bytes[at] ^= by;
            prop_assert!(Frame::decode(&bytes).is_err());
        }

        #[test]
        fn any_bytes_are_refused_or_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(frame) = Frame::decode(&bytes) {
                prop_assert_eq!(frame.encode().unwrap(), bytes);
            }
        }
    }
}
