//! Tables out of core, by a sample and by frequency groups, and audits of them.

use super::{Case, PATIENTS, PEOPLE, ROWS, TREES};

const GROUP: &str = "engines";

/// Both engines, with partitions so small that there are several.
const ENGINES: [(&str, &str); 2] = [
    ("sample", "rothko-sample(partition_rows=300,sample=400)"),
    ("tree", "rothko-tree(partition_rows=300)"),
];

/// What is asked of both engines.
const ASKED: [(&str, &str, &str); 9] = [
    ("k", "csv", "-k 5"),
    ("suppression", "csv", "-k 8 --max-suppression 3%"),
    ("diversity", "csv", "-k 4 --model 'l-diversity-distinct(l=3)'"),
    ("closeness", "csv", "-k 10 --model 't-closeness(t=0.5)'"),
    ("recursive", "csv", "-k 6 --model 'l-diversity-recursive(c=3,l=2)'"),
    ("missing", "csv", "-k 5 --missing retired"),
    ("parquet", "parquet", "-k 5"),
    ("arrow", "arrow", "-k 5"),
    ("jsonl", "jsonl", "-k 5"),
];

pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for (engine, algorithm) in ENGINES {
        let memory = format!("--engine {engine} --memory 64MiB --seed 1");
        let run = |data: &str, out: &str, asked: &str| {
            format!("anonymize {data} -o {out} {asked} --algorithm '{algorithm}' {memory} --json")
        };
        for (name, ending, asked) in ASKED {
            let (data, out) = (format!("../data/patients.{ending}"), format!("out.{ending}"));
            let steps = [
                run(&data, &out, &format!("{ROWS} {asked}")),
                format!("audit {out} --qi age,sex,zip,job -k 4 --memory 64MiB --original {data}"),
            ];
            all.push(Case::new(GROUP, format!("{engine}-{name}"), steps));
        }
        all.push(Case::new(
            GROUP,
            format!("{engine}-subjects-and-trees"),
            [run(PATIENTS, "out.csv", &format!("{PEOPLE} {TREES} -k 5"))],
        ));
        // With the sizes that the memory gives.
        all.push(Case::new(
            GROUP,
            format!("{engine}-by-memory"),
            [
                format!("anonymize {PATIENTS} -o out.csv {ROWS} -k 5 {memory} --json"),
                format!("anonymize {PATIENTS} -o out.parquet {ROWS} -k 5 {memory} --quiet"),
            ],
        ));
        all.push(Case::new(
            GROUP,
            format!("{engine}-threads"),
            [1, 2].map(|threads| {
                run(PATIENTS, &format!("out{threads}.csv"), &format!("{ROWS} -k 5"))
                    .replace("--json", &format!("--threads {threads} --quiet"))
            }),
        ));
        all.push(Case::new(
            GROUP,
            format!("{engine}-recoding"),
            [
                run(PATIENTS, "out.csv", &format!("{ROWS} -k 5 --save-recoding saved.json")),
                format!("apply saved.json {PATIENTS} -o again.csv --seed 2 --json"),
            ],
        ));
        all.push(Case::new(
            GROUP,
            format!("{engine}-workload"),
            [run(super::LOANS, "out.csv", "-k 10 --workload 'classification(target=class)'")],
        ));
        all.push(Case::new(
            GROUP,
            format!("{engine}-refusals"),
            [
                run(PATIENTS, "no.csv", &format!("{ROWS} -k 1501")),
                run(PATIENTS, "no.csv", &format!("{ROWS} -k 5 --keep-order")),
                run(PATIENTS, "no.csv", &format!("{ROWS} -k 5 --publish age=mean")),
                run(PATIENTS, "no.csv", &format!("{ROWS} --model 'lkc-privacy(l=2,k=2,c=0.9)'")),
                format!("anonymize {PATIENTS} -o no.csv {ROWS} -k 5 --algorithm peel {memory}"),
            ],
        ));
        all.push(Case::new(
            GROUP,
            format!("{engine}-explained"),
            [
                format!(
                    "anonymize {PATIENTS} -o out.csv {ROWS} -k 5 --algorithm '{algorithm}' \
                     {memory} --print-job > release.toml"
                ),
                "explain release.toml".into(),
                "run release.toml --quiet".into(),
            ],
        ));
    }
    all
}
