//! Measures how useful a release is for its purpose. The recipient's task is done with it, on rows
//! that took no part in anonymizing, and compared with the same task on the original data.
//!
//! The protocol (K. LeFevre et al., ACM TODS 33(3), 2008, section 4.1): hold rows out; decide the
//! recoding on the others ([`Experiment::train`], [`Experiment::anonymize`]); recode both parts by
//! it; turn regions into numbers ([`Features`]); learn on the one, test on the other. Nothing is
//! published or written here, and no figure is given of a recoding that wasn't checked.

mod assign;
mod cells;
mod experiment;
mod features;
mod in_memory;
mod join;
pub mod measures;
mod part;
mod place;
mod run;
mod settings;
mod summary;
mod take;
mod tasks;
mod trial;
mod truth;

pub use assign::Assigner;
pub use cells::{Cells, Extent, published_cells};
pub use experiment::{Anonymized, Arm, Experiment, Training};
pub use features::{Columns, Encoding, Features, MOST_LEAVES};
pub use in_memory::dataset_of_texts;
pub use place::Places;
pub use run::{evaluate, evaluate_dataset};
pub use settings::{CLASS_LEARNERS, NUMBER_LEARNERS, Protocol, Settings};
pub use take::take_rows;
pub use trial::{LearnerCall, LearnerScore, Rows, baseline, try_learner};
pub use truth::{MOST_CLASSES, Truth};

#[cfg(test)]
mod tests;
