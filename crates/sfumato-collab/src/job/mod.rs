//! The jobs of a collaboration: what all holders agree on, and what each keeps to itself.

mod agreement;
mod holder;

pub use agreement::{
    Agreement, Fairness, Insider, Join, Method, Partitioned, Peer, Requester, Scores, Scoring,
};
pub use holder::{HolderJob, Policy};
