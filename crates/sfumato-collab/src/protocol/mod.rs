//! What parties say to each other: messages, the frames that carry them, and the wire on which a
//! protocol sends and receives without knowing what the wire is made of.

pub mod frame;
pub mod message;
pub mod wire;

pub use frame::{Frame, MOST_BYTES};
pub use message::{Bid, ColumnNote, Instruction, Message, Packed};
pub use wire::{Wire, WireExt};

/// The version of the protocol. Parties of different versions refuse each other.
pub const VERSION: u16 = 1;

/// The place of a party in the list of holders that all of them agreed on.
pub type Seat = usize;
