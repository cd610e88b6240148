//! The other options of a job for a table: subjects, guards, missing values, statistics of regions,
//! workloads, metrics, hierarchies, the order of rows, threads, reports.

use super::models::wishes;
use super::{CENSUS, CENSUS_TREES, Case, Catalogue, LOANS, PATIENTS, PEOPLE, ROWS, TREES};

const GROUP: &str = "options";

const DISTINCT: &str = "--model 'l-diversity-distinct(l=3)'";

const MATCHES: &str = "--model 'nonreciprocal-k-anonymity(k=4)'";

pub fn cases(catalogue: &Catalogue) -> Result<Vec<Case>, String> {
    let mut all = people();
    all.extend(statistics());
    all.extend(workloads());
    all.extend(hierarchies());
    all.extend(runs());
    all.extend(reports());
    for metric in catalogue.names("metrics")? {
        let census = format!("{CENSUS} {CENSUS_TREES}");
        let data = if metric == "classification" { LOANS } else { &census };
        let run = |more: &str| format!("anonymize {data} -k 8 --metric {metric} {more} --seed 1");
        all.push(Case::new(
            GROUP,
            format!("metric-{metric}"),
            [run("-o local.csv --quiet"), run("-o global.csv --algorithm full-domain --quiet")],
        ));
    }
    Ok(all)
}

fn run(roles: &str, more: &str) -> String {
    format!("anonymize {PATIENTS} -o out.csv {roles} {more} --seed 1 --json")
}

/// Whether people or rows are counted, and which columns are left out.
fn people() -> Vec<Case> {
    let missing = "--missing retired --missing pupil";
    let mut guarded = wishes();
    guarded.push(
        "anonymize wishes.csv -o out --qi age --sensitive disease --guard wish \
         --hierarchy disease=tree.csv --algorithm mondrian --buckets linked \
         --model 'personalized-privacy(breach=0.5)' --keep-order --seed 1 --json"
            .into(),
    );
    vec![
        Case::new(
            GROUP,
            "subjects",
            [
                run(PEOPLE, &format!("{TREES} -k 6 --model 'l-diversity-distinct(l=2)'")),
                "audit ../data/patients.csv --qi sex --subject person -k 3 --json".into(),
            ],
        ),
        Case::new(
            GROUP,
            "perturbed",
            ["csv", "parquet", "jsonl"].map(|format| {
                format!(
                    "anonymize {PATIENTS} -o out.{format} --qi age,cost --sensitive diagnosis \
                     --identifier name,person,sex,zip,job,birth,admission \
                     --algorithm 'additive-noise(share=0.2)' --seed 1 --json"
                )
            }),
        ),
        Case::new(GROUP, "guards", guarded),
        Case::new(
            GROUP,
            "missing-values",
            [
                run(ROWS, &format!("{TREES} {missing} -k 5")),
                format!("audit out.csv --qi age,sex,zip,job {missing} -k 5 --json"),
                format!("query out.csv 'count where age < 30' {missing} --json"),
            ],
        ),
        Case::new(
            GROUP,
            "missing-values-suppressed",
            [run(ROWS, &format!("{missing} --suppress-missing job -k 5"))],
        ),
        Case::new(
            GROUP,
            "suppression",
            [
                run(ROWS, &format!("{TREES} -k 10 --max-suppression 5% --algorithm datafly")),
                run(ROWS, &format!("{TREES} -k 10 --max-suppression 75 --algorithm mondrian")),
            ],
        ),
        Case::new(
            GROUP,
            "kept-columns",
            [
                format!(
                    "anonymize {PATIENTS} -o out.csv --identifier name,person,birth \
                     --qi age,sex,zip --keep job,admission,cost --accept cost,admission \
                     --sensitive diagnosis -k 5 --seed 1 --json"
                ),
                format!(
                    "anonymize {PATIENTS} -o none.csv --identifier name,person \
                     --qi age,sex,zip --keep birth,job,admission,cost \
                     --sensitive diagnosis -k 5 --seed 1"
                ),
            ],
        ),
    ]
}

fn statistics() -> Vec<Case> {
    let publish = "--publish age=interval,range,mean --publish zip=range --snap age=5 -k 5";
    let queries = "'avg(age) where sex = male' 'count where age < 30' 'sum(age)' 'max(zip)'";
    let mut all = Vec::new();
    for to in ["csv", "parquet", "arrow", "jsonl"] {
        all.push(Case::new(
            GROUP,
            format!("statistics-{to}"),
            [
                run(PEOPLE, publish).replace("out.csv", &format!("out.{to}")),
                format!("audit out.{to} --qi age,sex,zip,job -k 5 --original {PATIENTS} --json"),
                format!(
                    "query out.{to} {queries} --qi age,zip --snap age=5 --original {PATIENTS} \
                     --json"
                ),
            ],
        ));
    }
    all.push(Case::new(
        GROUP,
        "statistics-of-dates",
        [
            format!(
                "anonymize {PATIENTS} -o out.csv --identifier name,person,birth,cost,zip,job \
                 --qi age,sex,admission --sensitive diagnosis --hierarchy admission=date \
                 --publish admission=range,mean --snap admission=30 -k 20 --seed 1 --json \
                 --save-recoding recoding.json"
            ),
            "apply recoding.json ../data/patients.csv -o again.csv --seed 2 --json".into(),
            "query out.csv 'min(admission)' 'count where age > 50' --json".into(),
        ],
    ));
    all
}

fn workloads() -> Vec<Case> {
    let numbers = "../data/numbers.csv --qi salary,age,elevel,car,zipcode --target target \
                   --accept target --identifier commission,hvalue,hyears,loan";
    let run = |data: &str, task: &str| {
        format!("anonymize {data} -o out.csv --workload '{task}' -k 10 --seed 1 --json")
    };
    let case = |name: &str, data: &str, task: &str| {
        Case::new(GROUP, format!("workload-{name}"), [run(data, task)])
    };
    let both = "--workload 'selection(where=\"age >= 40 and zipcode = 3\",weight=2)'";
    vec![
        case("classification", LOANS, "classification(target=class,features=[age,salary])"),
        case("regression", numbers, "regression(target=target)"),
        case("selection", LOANS, "selection(where=\"age >= 40 and salary < 90000\")"),
        case("aggregation", LOANS, "aggregation(column=age,statistics=[mean])"),
        case("projection", LOANS, "projection(columns=[age,elevel])"),
        case("two", &format!("{LOANS} {both}"), "classification(target=class)"),
    ]
}

/// Every builder of hierarchies.
fn hierarchies() -> Vec<Case> {
    let roles = "--identifier name,person,birth,cost --qi age,sex,zip,job,admission \
                 --sensitive diagnosis";
    let case = |name: &str, how: &str| {
        let more = format!("{how} -k 5 --algorithm full-domain --max-suppression 5%");
        Case::new(GROUP, format!("hierarchy-{name}"), [run(roles, &more)])
    };
    let tree = Case::new(
        GROUP,
        "hierarchy-tree",
        [
            "!write sex.json '{\"person\": [\"male\", \"female\"]}'".to_string(),
            run(ROWS, "--hierarchy sex=sex.json -k 5"),
        ],
    );
    let unknown = Case::new(
        GROUP,
        "hierarchy-unknown",
        [
            "!write job.csv 'nurse;care;*|teacher;school;*|other;other;*|'".to_string(),
            run(ROWS, "--hierarchy job=job.csv -k 5"),
            run(ROWS, "--hierarchy job=job.csv --unknown job=other -k 5"),
        ],
    );
    vec![
        case("date", "--hierarchy 'admission=date(levels=[day,month,quarter,year])'"),
        case("weeks", "--hierarchy 'admission=date(levels=[day,week])'"),
        case("interval", "--hierarchy 'age=interval(width=10,levels=2,bottom=10,top=90)'"),
        case("interval-of-dates", "--hierarchy 'admission=interval(width=30,levels=3)'"),
        case("mask", "--hierarchy 'zip=mask(from=left,char=x,levels=3)'"),
        case("frequency", "--hierarchy 'age=frequency(groups=8,levels=2)'"),
        case("order", "--hierarchy 'age=order(groups=[4,3])'"),
        case("file", "--hierarchy job=../data/job.csv --weight job=3 --type zip=text"),
        tree,
        unknown,
    ]
}

/// How a job is run, and which files it leaves.
fn runs() -> Vec<Case> {
    let base = format!("{ROWS} {TREES} -k 5");
    let mut all = Vec::new();
    for algorithm in ["mondrian", "peel", "full-domain", "k-member", "top-down"] {
        let steps = [1, 2].map(|threads| {
            format!(
                "anonymize {PATIENTS} -o out{threads}.csv {base} --algorithm {algorithm} \
                 --threads {threads} --seed 3 --quiet"
            )
        });
        all.push(Case::new(GROUP, format!("threads-{algorithm}"), steps));
    }
    for effort in ["low", "high"] {
        all.push(Case::new(
            GROUP,
            format!("effort-{effort}"),
            [run(ROWS, &format!("{TREES} -k 5 --effort {effort}"))],
        ));
    }
    all.push(Case::new(
        GROUP,
        "order-of-the-input",
        [run(ROWS, &format!("{TREES} -k 5 --keep-order"))],
    ));
    all.push(Case::new(
        GROUP,
        "reports",
        [format!(
            "anonymize {PATIENTS} -o out.csv {base} --seed 1 --report private.html \
             --public-report public.html"
        )],
    ));
    all.push(Case::new(
        GROUP,
        "reports-as-json",
        [format!(
            "anonymize {PATIENTS} -o out.csv {base} --seed 1 --report private.json \
             --public-report public.json --algorithm full-domain"
        )],
    ));
    all.push(Case::new(
        GROUP,
        "job",
        [
            format!(
                "anonymize {PATIENTS} -o out.csv {base} --seed 1 --publish age=interval,mean \
                 --workload 'projection(columns=[age,sex])' --print-job > release.toml"
            ),
            "run release.toml --json".into(),
            // The job in words, to read what changed where its hash did.
            format!("anonymize {PATIENTS} -o out.csv {base} --print-job"),
            "anonymize ../data/quest.dat -o out --baskets lines --sensitive-items 5,19 \
             --model 'privacy-degree(p=4)' --buckets linked --print-job"
                .into(),
            format!(
                "anonymize {PATIENTS} -o out.csv {PEOPLE} -k 5 --memory 64MiB --engine tree \
                 --missing retired --weight age=2 --metric entropy --print-job"
            ),
            "query out.csv 'count where job = manual' 'avg(age)' --job release.toml --json".into(),
        ],
    ));
    all
}

/// Both reports and the summary in words, for every form and engine.
fn reports() -> Vec<Case> {
    let of_items = "../data/quest.dat --baskets lines";
    let forms = [
        ("linked", format!("{PATIENTS} {ROWS} -o out --algorithm anatomize {DISTINCT}")),
        ("permuted", format!("{PATIENTS} {ROWS} -o out.csv --buckets permuted {DISTINCT}")),
        ("matches", format!("{PATIENTS} {ROWS} {TREES} -o out.csv {MATCHES}")),
        ("subjects", format!("{PATIENTS} {PEOPLE} {TREES} -o out.csv -k 4 {DISTINCT}")),
        ("statistics", format!("{PATIENTS} {ROWS} -o out.csv -k 4 --publish age=range,mean")),
        ("sample", format!("{PATIENTS} {ROWS} -o out.csv -k 4 --engine sample --memory 64MiB")),
        ("tree", format!("{PATIENTS} {ROWS} -o out.csv -k 4 --engine tree --memory 64MiB")),
        ("bitmaps", format!("{of_items} -o out {MATCHES}")),
        (
            "set-buckets",
            format!("{of_items} --sensitive-items 5,19 -o out --model 'privacy-degree(p=4)'"),
        ),
    ];
    let files = "--report private.html --public-report public.html";
    forms
        .into_iter()
        .map(|(name, what)| {
            let mut steps = vec![format!("anonymize {what} {files} --seed 1")];
            if name == "matches" {
                let queries = "'count where age >= 40 and sex = male' 'avg(age)'";
                let trees = format!("{TREES} --original {PATIENTS} --json");
                steps.push(format!("query out.csv {queries} {trees}"));
            }
            Case::new(GROUP, format!("reports-{name}"), steps)
        })
        .collect()
}
