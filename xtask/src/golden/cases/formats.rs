//! Tables with generalized cells, from every format to every format, audited and queried.

use super::{Case, PATIENTS, PEOPLE, ROWS, TREES};

const GROUP: &str = "formats";

const FORMATS: [&str; 5] = ["csv", "parquet", "arrow", "jsonl", "csv.gz"];

const QUERIES: &str = "'count where age >= 40 and sex = male' 'avg(age)' \
                       'max(age) where zip in 10000..30000' 'sum(age) where sex = female' \
                       'min(zip)'";

pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for from in FORMATS {
        for to in FORMATS {
            let make = format!(
                "anonymize ../data/patients.{from} -o out.{to} {PEOPLE} -k 5 --seed 1 --json"
            );
            let audit = format!("audit out.{to} --qi age,sex,zip,job --sensitive diagnosis -k 5");
            let mut steps = vec![make];
            if from == "csv" {
                steps.push(format!("{audit} --json"));
                steps.push(format!("{audit} --original {PATIENTS} --json"));
                steps.push(format!("{audit} --memory 64MiB --json"));
                steps.push(format!("query out.{to} {QUERIES} --original {PATIENTS} --json"));
            } else {
                // The report of a run differs in little but the input: keep its output only.
                steps = vec![steps[0].replace(" --json", " --quiet")];
            }
            all.push(Case::new(GROUP, format!("{from}-to-{to}"), steps));
        }
    }
    let seeded = format!("{ROWS} {TREES} -k 5 --seed 2");
    all.push(Case::new(
        GROUP,
        "semicolons-without-header",
        [
            "!write in.csv '1;f;a|2;f;b|3;m;a|4;m;b|5;f;a|6;m;c|'".to_string(),
            "anonymize in.csv -o out.csv --header no --delimiter ';' --qi column_1,column_2 \
             --sensitive column_3 -k 3 --seed 1 --json"
                .into(),
            "audit out.csv --qi column_1,column_2 -k 3".into(),
        ],
    ));
    all.push(Case::new(
        GROUP,
        "streams",
        [
            format!("anonymize {PATIENTS} -o - {seeded} > out.csv"),
            format!("anonymize - -o again.csv {seeded} --format csv --json < {PATIENTS}"),
            "audit out.csv --qi age,sex,zip,job -k 5".into(),
        ],
    ));
    all
}
