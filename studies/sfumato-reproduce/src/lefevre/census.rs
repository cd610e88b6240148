//! The real data: respondents of the General Social Survey in place of the paper's census sample,
//! and the Contraceptives data.

use std::path::Path;

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_table::job::ColumnSpec;

use crate::bench::{Sheet, Study, column, tree};

/// The survey's file in the data folder.
pub const SURVEY: &str = "relational/gss_wages_61697.csv.gz";
/// The Contraceptives file.
pub const CONTRACEPTIVES: &str = "relational/cmc.data.gz";

/// What stands in for the census sample, in words.
pub const STAND_IN: &str = "General Social Survey (stand-in for the census sample, see above)";

/// The share of records below the limit of the salary class, as in the paper.
const BELOW: f64 = 0.56;

const OCCUPATION: &str = r#"{"*": {
    "White collar": {"Management and professions": ["Professional", "Business/Finance"],
                     "Sales and office": ["Sales", "Office and Administrative Support"]},
    "Service": {"Service and forces": ["Service", "Armed Forces"]},
    "Manual": {"Making": ["Construction/Extraction", "Production",
        "Installation, Maintenance, and Repair"],
               "Moving and growing": ["Transportation", "Farming, Fishing, and Forestry"]}}}"#;
const WORK: &str = r#"{"*": {
    "Working": ["Full-Time", "Part-Time", "Temporarily Not Working"],
    "Not working": ["Unemployed, Laid Off", "Housekeeper", "Retired", "School", "Other"]}}"#;
const EDUCATION: &str = r#"{"*": {
    "No degree": ["Less Than High School", "High School"],
    "Degree": ["Junior College", "Bachelor", "Graduate"]}}"#;
const MARITAL: &str = r#"{"*": {
    "Has a spouse": ["Married", "Separated"],
    "Has none": ["Never Married", "Divorced", "Widowed"]}}"#;
const FOUR: &str = r#"{"*": {"1-2": ["1", "2"], "3-4": ["3", "4"]}}"#;
const TWO: &str = r#"{"*": ["0", "1"]}"#;

/// The survey's complete records, at most `n` of them: the income as `salary`, its class as
/// `class`.
pub fn survey(data: &Path, n: usize, seed: u64) -> Result<Sheet> {
    let names = [
        "age",
        "childs",
        "prestg10",
        "occrecode",
        "wrkstat",
        "gender",
        "educcat",
        "maritalcat",
        "realrinc",
    ];
    let sheet = Sheet::read(&data.join(SURVEY), None)?.columns(&names)?.complete();
    let mut sheet = sheet.sample(n, seed);
    for name in ["age", "childs", "prestg10"] {
        // Whole numbers are written with a point.
        sheet.change(name, |text| text.strip_suffix(".0").unwrap_or(text).to_string())?;
    }
    let salaries = sheet.numbers("realrinc")?;
    let mut sorted = salaries.clone();
    sorted.sort_unstable_by(f64::total_cmp);
    let limit = sorted.get((sorted.len() as f64 * BELOW) as usize).copied().unwrap_or(0.0);
    let class = |salary: &f64| if *salary < limit { "below" } else { "above" }.to_string();
    sheet.push("salary", salaries.iter().map(|salary| format!("{salary:.0}")).collect());
    sheet.push("class", salaries.iter().map(class).collect());
    Ok(sheet)
}

/// The survey as a study whose target column has a role.
pub fn survey_study(sheet: &Sheet, target: &str, role: Role) -> Result<Study> {
    Study::new(sheet, survey_columns().into_iter().chain([column(target, role)]).collect())
}

fn survey_columns() -> Vec<(String, ColumnSpec)> {
    vec![
        column("age", Role::Quasi),
        column("childs", Role::Quasi),
        column("prestg10", Role::Quasi),
        tree("occrecode", OCCUPATION),
        tree("wrkstat", WORK),
        column("gender", Role::Quasi),
        tree("educcat", EDUCATION),
        tree("maritalcat", MARITAL),
    ]
}

/// The Contraceptives data, with the paper's Table IV: which columns have trees.
pub fn contraceptives(data: &Path) -> Result<Study> {
    let names = [
        "wife-age",
        "wife-education",
        "husband-education",
        "children",
        "wife-religion",
        "wife-working",
        "husband-occupation",
        "living-standard",
        "media-exposure",
        "class",
    ];
    let sheet = Sheet::read(&data.join(CONTRACEPTIVES), Some(&names))?;
    let spec = |name: &&str| match *name {
        "wife-age" | "children" | "living-standard" => column(name, Role::Quasi),
        "wife-education" | "husband-education" | "husband-occupation" => tree(name, FOUR),
        "class" => column(name, Role::Target),
        _ => tree(name, TWO),
    };
    Study::new(&sheet, names.iter().map(spec).collect())
}
