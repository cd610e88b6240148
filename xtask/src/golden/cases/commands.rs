//! Commands other than anonymizing, auditing and querying.

use super::{CENSUS, CENSUS_TREES, Case, LOANS, PATIENTS, ROWS, TREES};

const GROUP: &str = "commands";

/// The families to list, and to show a page of.
const FAMILIES: [&str; 9] = [
    "models",
    "set-models",
    "algorithms",
    "set-algorithms",
    "basket-layouts",
    "risks",
    "hierarchies",
    "generators",
    "models t-closeness",
];

pub fn cases() -> Vec<Case> {
    let mut all = apply();
    all.extend(plans());
    all.extend(hierarchies());
    all.extend(studies());
    all.push(Case::new(GROUP, "list", FAMILIES.map(|family| format!("list {family}"))));
    all.push(Case::new(
        GROUP,
        "init",
        [
            "init ../data/patients.csv",
            "init ../data/sparse.csv -o guess.toml",
            "init ../data/patients.parquet",
            "init ../data/census.csv",
        ],
    ));
    all
}

/// Recodings that are saved, applied, and written as SQL.
fn apply() -> Vec<Case> {
    let make = |algorithm: &str| {
        format!(
            "anonymize {PATIENTS} -o out.csv {ROWS} {TREES} -k 5 --max-suppression 5% --seed 1 \
             --algorithm '{algorithm}' --save-recoding saved.json --quiet"
        )
    };
    let mut all = Vec::new();
    for algorithm in ["mondrian", "peel", "full-domain", "top-down-specialization"] {
        let steps = [
            make(algorithm),
            format!("apply saved.json {PATIENTS} -o same.csv --max-suppression 5% --seed 1 --json"),
            "apply saved.json ../data/new.csv -o refused.csv --seed 1".into(),
            "apply saved.json ../data/new.csv -o extended.csv --unseen extend \
             --max-suppression 90% --seed 1 --json"
                .into(),
            "apply saved.json ../data/new.csv -o dropped.parquet --unseen drop \
             --max-suppression 100% --seed 1 --json"
                .into(),
            "apply saved.json --sql --table clinic.people".into(),
            "hierarchy show --recoding saved.json --lines 20".into(),
            "hierarchy show --recoding saved.json --column job".into(),
        ];
        all.push(Case::new(GROUP, format!("apply-{algorithm}"), steps));
    }
    all
}

fn plans() -> Vec<Case> {
    let job = |more: &str| {
        format!("anonymize {PATIENTS} -o out.csv {ROWS} {TREES} {more} --print-job > release.toml")
    };
    vec![
        Case::new(
            GROUP,
            "explain",
            [
                job("-k 5 --model 't-closeness(t=0.4)' --max-suppression 2%"),
                "explain release.toml".into(),
                "explain release.toml --memory 64MiB --engine tree".into(),
                "explain release.toml --memory 64MiB --engine sample".into(),
                job("--model 'lkc-privacy(l=2,k=5,c=0.8)' --algorithm full-domain"),
                "explain release.toml".into(),
                job("--model 'nonreciprocal-k-anonymity(k=5)'"),
                "explain release.toml".into(),
            ],
        ),
        Case::new(
            GROUP,
            "explore",
            [
                format!(
                    "explore {CENSUS} {CENSUS_TREES} --ks 2,5,10,25 \
                     --algorithms mondrian,full-domain --max-suppression 2% --seed 1 --json \
                     -o tradeoff.svg --lattice lattice.svg"
                ),
                job("-k 5"),
                "explore release.toml --ks 3,30,1501 --seed 1 --json".into(),
                format!(
                    "explore {PATIENTS} {ROWS} --ks 2,5 --model 'l-diversity-distinct(l=2)' \
                     --metric discernibility --seed 1 --json"
                ),
            ],
        ),
    ]
}

fn hierarchies() -> Vec<Case> {
    let build =
        |column: &str, how: &str| format!("hierarchy build {PATIENTS} --column {column} '{how}'");
    vec![Case::new(
        GROUP,
        "hierarchy",
        [
            build("age", "interval(width=10,levels=3)"),
            build("zip", "mask(from=right)"),
            build("admission", "date(levels=[month,year])"),
            format!("{} -o age.csv", build("age", "frequency(groups=6,levels=2)")),
            format!("{} -o order.csv", build("job", "order")),
            "hierarchy show age.csv".into(),
            "hierarchy show ../data/diagnosis.csv --lines 12".into(),
            "hierarchy check ../data/job.csv --data ../data/patients.csv --column job".into(),
            "hierarchy check ../data/job.csv --data ../data/patients.csv --column diagnosis".into(),
        ],
    )]
}

fn studies() -> Vec<Case> {
    vec![
        Case::new(
            GROUP,
            "evaluate",
            [format!(
                "evaluate {LOANS} -k 10 --workload 'classification(target=class)' --folds 3 \
                 --learner decision-tree --learner naive-bayes --queries 100 --seed 1 --json"
            )],
        ),
        Case::new(
            GROUP,
            "cluster",
            [format!(
                "cluster {CENSUS} {CENSUS_TREES} -k 10 --clusters 3 --algorithm mondrian --seed 1 \
                 --json -o out.csv"
            )],
        ),
        Case::new(
            GROUP,
            "reduce",
            ["normal", "sparse"].map(|entries| {
                format!(
                    "reduce ../data/numbers.csv --columns salary,age,hvalue,loan --dimensions 2 \
                     --entries {entries} -o {entries}.csv --seed 1"
                )
            }),
        ),
    ]
}
