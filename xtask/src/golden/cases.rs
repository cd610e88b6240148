//! The cases, a file for each part of the engine.
//!
//! Every command that makes random choices has a seed. Paths are relative, so that records contain
//! no path of a machine.

mod algorithms;
mod baskets;
mod bitmaps;
mod buckets;
mod commands;
pub mod data;
mod engines;
mod formats;
mod models;
mod options;
mod refusals;
mod set_buckets;

use super::case::Case;
use super::catalogue::Catalogue;

/// The made-up patients, a row for each stay.
const PATIENTS: &str = "../data/patients.csv";

/// Roles of the patients' columns where people are counted.
const PEOPLE: &str = "--identifier name,birth,cost,admission --subject person \
                      --qi age,sex,zip,job --sensitive diagnosis";

/// Roles of the patients' columns where rows are counted.
const ROWS: &str = "--identifier name,person,birth,cost,admission \
                    --qi age,sex,zip,job --sensitive diagnosis";

/// Roles of the patients' columns where rows are counted and a number is sensitive.
const COSTS: &str = "--identifier name,person,birth,admission,diagnosis \
                     --qi age,sex,zip,job --sensitive cost --accept cost";

/// Hierarchies of the patients' quasi columns.
const TREES: &str = "--hierarchy 'age=interval(width=5,levels=4)' \
                     --hierarchy 'zip=mask(from=right)' --hierarchy job=../data/job.csv";

/// People of a census, and the roles of their columns.
const CENSUS: &str = "../data/census.csv --qi age,education,marital,sex,race \
                      --sensitive occupation --identifier workclass,relationship,country";

/// The hierarchies of the census.
const CENSUS_TREES: &str = "--hierarchy age=../data/census/census_hierarchy_age.csv \
                            --hierarchy education=../data/census/census_hierarchy_education.csv \
                            --hierarchy marital=../data/census/census_hierarchy_marital.csv \
                            --hierarchy sex=../data/census/census_hierarchy_sex.csv \
                            --hierarchy race=../data/census/census_hierarchy_race.csv";

/// Loans with a class, and the roles of their columns.
const LOANS: &str = "../data/agrawal.csv --qi salary,age,elevel,car,zipcode --target class \
                     --identifier commission,hvalue,hyears,loan";

/// All cases. The data are made before.
pub fn all(catalogue: &Catalogue) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    all.extend(engines::cases());
    all.extend(algorithms::cases(catalogue)?);
    all.extend(models::cases(catalogue)?);
    all.extend(formats::cases());
    all.extend(options::cases(catalogue)?);
    all.extend(buckets::cases());
    all.extend(baskets::cases(catalogue)?);
    all.extend(set_buckets::cases(catalogue)?);
    all.extend(bitmaps::cases(catalogue)?);
    all.extend(commands::cases());
    all.extend(refusals::cases());
    Ok(all)
}
