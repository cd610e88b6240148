//! Studies based on releases: what a recipient can do with a release (`evaluate`), what k costs
//! (`explore`), which clusters survive (`cluster`), and a transform that promises nothing
//! (`reduce`).

pub mod cluster;
pub mod evaluate;
pub mod explore;
pub mod reduce;
