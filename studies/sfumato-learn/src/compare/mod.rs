//! Compares learners or releases: which rows train and which test, and whether a difference of
//! scores is more than chance.

mod folds;
mod paired_t_test;

pub use folds::{Split, folds, splits, stratified_folds};
pub use paired_t_test::{PairedTTest, paired_t_test};
