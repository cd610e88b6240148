//! Whole releases, by correct algorithms and by algorithms that give wrong answers.

mod audited;
mod buckets;
mod cuts;
mod every_model;
mod matches;
mod owners;
mod perturbed;
mod population;
mod query_bounds;
mod real_data;
mod region_statistics;
mod time_limit;
mod verifier;
