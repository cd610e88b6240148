//! Algorithms against brute force.

mod anytime;
mod buckets;
mod cut_search;
mod full_domain;
mod local_recoding;
mod models;
mod mondrian;
mod rothko;
mod rothko_sample;
mod specialization;
mod tables;
