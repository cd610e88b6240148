//! Code that `bench-local` and `bench-global` share: the data sets, one run of the program, and
//! which algorithm belongs to which of the two. It prints no table.

pub mod data;
pub mod measure;
pub mod peers;

use std::path::{Path, PathBuf};

use crate::{bench, cargo, output_of, sh};

/// The algorithms that publish boxes: records that are alike may be published differently. All
/// others of the catalogue are global. The catalogue doesn't tell the two apart, so a new local
/// algorithm must be added here.
const LOCAL: [&str; 7] = [
    "peel",
    "mondrian",
    "bottom-up",
    "top-down",
    "k-member",
    "r-gather",
    "progressive-local-recoding",
];

/// The two families of recodings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Local recodings publish boxes.
    Local,
    /// Global recodings publish levels or cuts.
    Global,
}

/// The path of the program: the one that the environment names, or a release build.
pub fn program() -> Result<PathBuf, String> {
    if let Some(finished) = std::env::var_os("SFUMATO_BIN") {
        return Ok(finished.into());
    }
    sh(&cargo(), &["build", "--release", "--package", "sfumato-cli"])?;
    Ok(bench::target_folder().join("release/sfumato"))
}

/// The folder for generated data, releases and tables.
pub fn folder() -> Result<PathBuf, String> {
    let folder = bench::target_folder().join("bench");
    std::fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(folder)
}

/// The algorithms of one family, in the order of the program's catalogue.
pub fn algorithms(program: &Path, family: Family) -> Result<Vec<String>, String> {
    let listed = output_of(&program.display().to_string(), &["list", "algorithms"])?;
    let names: Vec<String> = listed
        .lines()
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|name| LOCAL.contains(name) == (family == Family::Local))
        .map(String::from)
        .collect();
    if names.is_empty() { Err("the program lists no such algorithms".into()) } else { Ok(names) }
}
