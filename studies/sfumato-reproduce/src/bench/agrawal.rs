//! Synthetic data of the classification literature as studies: nine quasi columns, with any of its
//! labels.

use std::collections::BTreeMap;

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::observer::Unobserved;
use sfumato_core::registry::{Argument, Params};
use sfumato_generate::{find, generate};
use sfumato_table::job::ColumnSpec;

use super::sheet::Sheet;
use super::study::{column, tree};

/// The tree of `elevel`, the one that goes with the generator.
pub const ELEVEL: &str = r#"{"*": {"[0-1]": ["0", "1"], "[2-4]": ["2", "3", "4"]}}"#;

/// The tree of `car`: bands of ten and of five makers.
pub const CAR: &str = r#"{"*": {
    "[1-10]": {"[1-5]": ["1", "2", "3", "4", "5"], "[6-10]": ["6", "7", "8", "9", "10"]},
    "[11-20]": {"[11-15]": ["11", "12", "13", "14", "15"], "[16-20]": ["16", "17", "18", "19",
        "20"]}}}"#;

/// `n` rows with a label; its constants are random with a seed for them. Rows are the same for all
/// labels.
pub fn generated(label: &str, n: u64, seed: u64, constants: Option<u64>) -> Result<Sheet> {
    let generator = find("agrawal")?;
    let mut args = BTreeMap::from([("label".to_string(), Argument::Word(label.to_string()))]);
    if let Some(constants) = constants {
        args.insert("constants".into(), Argument::Word("random".into()));
        args.insert("constants_seed".into(), Argument::Word(constants.to_string()));
    }
    let params = Params::check(generator.info(), &args)?;
    let mut out = Vec::new();
    generate(generator, &params, n, seed, &mut out, &Unobserved)?;
    Ok(Sheet::parse(&String::from_utf8_lossy(&out)))
}

/// The nine columns as quasi columns, `elevel` and `car` with their trees, and labels of role
/// target.
pub fn labelled(labels: &[&str]) -> Vec<(String, ColumnSpec)> {
    let quasi = |name: &&str| match *name {
        "elevel" => tree(name, ELEVEL),
        "car" => tree(name, CAR),
        _ => column(name, Role::Quasi),
    };
    QUASI.iter().map(quasi).chain(labels.iter().map(|label| column(label, Role::Target))).collect()
}

/// The nine columns.
pub const QUASI: [&str; 9] =
    ["salary", "commission", "age", "elevel", "car", "zipcode", "hvalue", "hyears", "loan"];
