//! The command line as a user meets it: the binary runs in a folder of its own, and what it prints,
//! writes and returns is compared with what it should.

#![allow(clippy::unwrap_used)]

mod anonymize;
mod answer;
mod apply;
mod audit;
mod bad_input;
mod baskets;
mod bitmaps;
mod buckets;
mod cluster;
mod collaborate;
mod compare;
mod databases;
mod evaluate;
mod explore;
#[cfg(debug_assertions)]
mod faults;
mod first_contact;
mod flags;
mod hierarchy;
mod init;
mod larger_than_memory;
mod least_memory;
mod ledger;
mod ledger_killed;
mod list_generate_demo;
mod nonreciprocal;
mod order_of_commit;
mod protection;
mod pseudonyms;
mod queries;
mod regions;
mod reproduce;
mod serve;
mod serve_beside;
mod serve_encrypted;
mod serve_sets;
mod set_buckets;
mod support;
mod text;
mod time_limit;
mod tour;
mod toy;
mod under_attack;
