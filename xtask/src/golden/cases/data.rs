//! The data that all other cases read.

use super::Case;

/// The group of the record of the data.
pub const GROUP: &str = "data";

/// The folder of the data, beside the folders of the cases.
pub const FOLDER: &str = "data";

/// The columns of the patients other than sex.
const OTHERS: &str = "name,person,birth,age,zip,job,admission,diagnosis,cost";

/// Make the data: small, seeded, in every format.
pub fn case() -> Case {
    let mut steps: Vec<String> = [
        "'patients(visits=3)' --rows 1500 --seed 1 -o patients.csv --companions .",
        "'patients' --rows 300 --seed 9 -o new.csv",
        "census --rows 2000 --seed 2 -o census.csv --companions census",
        "'census(setting=sparse)' --rows 1500 --seed 3 -o sparse.csv",
        "'agrawal(label=c2)' --rows 1500 --seed 4 -o agrawal.csv --companions agrawal",
        "'agrawal(label=r7)' --rows 1500 --seed 5 -o numbers.csv",
        "'longtail(items=90,lowest=0.01,mean=6,deviation=4)' --rows 800 --seed 6 -o longtail.dat \
         --companions .",
        "'longtail(items=60,mean=5,deviation=3,key=true)' --rows 400 --seed 8 -o keyed.dat",
        "'quest(items=80,size=6,patterns=60)' --rows 600 --seed 7 -o quest.dat",
    ]
    .into_iter()
    .map(|kind| format!("generate {kind}"))
    .collect();
    // A release that generalizes nothing is the same table in another format.
    for ending in ["parquet", "arrow", "jsonl", "csv.gz"] {
        steps.push(format!(
            "anonymize patients.csv -o patients.{ending} --qi sex --keep {OTHERS} \
             --accept {OTHERS} -k 1 --keep-order --seed 1 --quiet"
        ));
    }
    Case::new(GROUP, "made", steps)
}
