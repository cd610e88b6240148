//! Computing together without showing the inputs. Every part says what its receivers learn.
//!
//! All of it is for holders who follow the protocol and are curious (semi-honest).

pub mod commutative;
pub mod compare;
pub mod maximum;
pub mod mix;
pub mod secrets;
pub mod sums;

pub use commutative::{Aligned, align};
pub use secrets::Secrets;
