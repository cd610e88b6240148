//! Tests of mixed records from file to file.

mod releases;
