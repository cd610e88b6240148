//! Attacks on released logs: one file each, listed once.

mod colours;
pub mod inversion;
pub mod stage;
pub mod terms;

pub use stage::LogStage;

use sfumato_engine::attack::Attack;

sfumato_core::registry! {
    /// Every attack on released logs.
    dyn Attack<LogStage>:
    token_hash_inversion::TokenHashInversion,
}
