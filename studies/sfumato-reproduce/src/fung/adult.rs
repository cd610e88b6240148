//! Adult as in the book: 45,222 complete records, 13 quasi columns, two guarded values of the
//! marital status, and a class.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::measure::Data;
use crate::bench::{RandomStream, Sheet, Study, column, tree};
use crate::figure::Settings;

/// The file of the data folder.
pub const FILE: &str = "relational/adult_48842.csv.gz";
/// The column with guarded values.
const SENSITIVE: &str = "marital-status";
/// The guarded values.
const GUARDED: [&str; 2] = ["Divorced", "Separated"];
/// The column to predict.
const CLASS: &str = "salary-class";

// The book says how many leaves and levels each taxonomy has and doesn't show them; these have the
// same numbers of levels, the root counted, and the leaves that complete records have.

const WORKCLASS: &str = r#"{"*": {
    "Paid": {
        "Self-employed": {"Self": ["Self-emp-inc", "Self-emp-not-inc"]},
        "Employed": {"Government": ["Federal-gov", "Local-gov", "State-gov"],
            "Company": ["Private"]}},
    "Unpaid": {"No-employer": {"No-pay": ["Without-pay"]}}}}"#;

const EDUCATION: &str = r#"{"*": {
    "Without-post-secondary": {
        "Elementary": {"Lower": ["Preschool", "1st-4th"], "Upper": ["5th-6th", "7th-8th"]},
        "Secondary": {"Junior": ["9th", "10th"], "Senior": ["11th", "12th", "HS-grad"]}},
    "Post-secondary": {
        "Some": {"Unfinished": ["Some-college"], "Associate": ["Assoc-voc", "Assoc-acdm"]},
        "University": {"Undergraduate": ["Bachelors"], "Graduate": ["Prof-school", "Masters",
            "Doctorate"]}}}}"#;

const OCCUPATION: &str = r#"{"*": {
    "White-collar": ["Adm-clerical", "Exec-managerial", "Prof-specialty", "Sales", "Tech-support"],
    "Blue-collar": ["Craft-repair", "Farming-fishing", "Handlers-cleaners", "Machine-op-inspct",
        "Transport-moving"],
    "Service": ["Other-service", "Priv-house-serv", "Protective-serv", "Armed-Forces"]}}"#;

const RELATIONSHIP: &str = r#"{"*": {
    "Spouse": ["Husband", "Wife"],
    "Other-family": ["Own-child", "Other-relative"],
    "No-family": ["Not-in-family", "Unmarried"]}}"#;

const RACE: &str = r#"{"*": {"White-race": ["White"], "Non-white": ["Black", "Asian-Pac-Islander",
    "Amer-Indian-Eskimo", "Other"]}}"#;

const SEX: &str = r#"{"*": ["Female", "Male"]}"#;

const COUNTRY: &str = r#"{"*": {
    "America": {
        "North-America": {"USA": ["United-States", "Outlying-US(Guam-USVI-etc)"],
            "Canada-north": ["Canada"]},
        "Latin-America": {
            "Central": ["Mexico", "Honduras", "El-Salvador", "Guatemala", "Nicaragua"],
            "Caribbean": ["Cuba", "Jamaica", "Puerto-Rico", "Haiti", "Dominican-Republic",
                "Trinadad&Tobago"],
            "South-America": ["Columbia", "Ecuador", "Peru"]}},
    "Old-World": {
        "Europe": {
            "West-Europe": ["England", "Scotland", "Ireland", "France", "Germany",
                "Holand-Netherlands"],
            "South-Europe": ["Italy", "Portugal", "Greece"],
            "East-Europe": ["Poland", "Hungary", "Yugoslavia"]},
        "Asia": {
            "East-Asia": ["China", "Hong", "Taiwan", "Japan", "South"],
            "South-East-Asia": ["Philippines", "Vietnam", "Cambodia", "Laos", "Thailand"],
            "West-Asia": ["India", "Iran"]}}}}"#;

/// The complete records, all or a sample, and the class of each.
pub fn adult(settings: &Settings<'_>, n_rows: usize) -> Result<Data> {
    let sheet = Sheet::read(&settings.data.join(FILE), None)?.complete();
    of_sheet(&sheet.sample(n_rows, settings.seed_of(&[600])))
}

/// The records with "variations": of each record as many more as asked for, in which each quasi
/// cell is that of another record with a probability of 1 in 4. How the book varies them isn't
/// said.
pub fn blown_up(settings: &Settings<'_>, n_rows: usize) -> Result<Data> {
    let sheet = Sheet::read(&settings.data.join(FILE), None)?.complete();
    let mut random = RandomStream::new(settings.seed_of(&[601]));
    let n = sheet.rows.len();
    let kept = |name: &String| [SENSITIVE, CLASS].contains(&name.as_str());
    let kept: Vec<bool> = sheet.names.iter().map(kept).collect();
    let mut rows = Vec::with_capacity(n_rows);
    for number in 0..n_rows {
        let mut row = sheet.rows[number % n].clone();
        if number >= n {
            for column in (0..row.len()).filter(|column| !kept[*column]) {
                if random.below(4) == 0 {
                    row[column].clone_from(&sheet.rows[random.below(n)][column]);
                }
            }
        }
        rows.push(row);
    }
    of_sheet(&Sheet { names: sheet.names, rows })
}

fn of_sheet(sheet: &Sheet) -> Result<Data> {
    let quasi = |name: &str| column(name, Role::Quasi);
    let columns = vec![
        quasi("age"),
        tree("workclass", WORKCLASS),
        quasi("fnlwgt"),
        tree("education", EDUCATION),
        quasi("education-num"),
        column(SENSITIVE, Role::Sensitive),
        tree("occupation", OCCUPATION),
        tree("relationship", RELATIONSHIP),
        tree("race", RACE),
        tree("sex", SEX),
        quasi("capital-gain"),
        quasi("capital-loss"),
        quasi("hours-per-week"),
        tree("native-country", COUNTRY),
        column(CLASS, Role::Target),
    ];
    let study = Study::new(sheet, columns)?;
    let truth = study.truth(CLASS, TargetKind::Classes)?;
    let guarded = GUARDED.map(String::from).to_vec();
    Ok(Data { name: "Adult", study, truth, sensitive: SENSITIVE, guarded })
}
