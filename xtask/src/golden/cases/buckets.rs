//! Tables whose quasi values are published as they are, and whose sensitive values by group.

use super::{COSTS, Case, PATIENTS, ROWS};

const GROUP: &str = "buckets";

const QUERIES: &str = "'count where age >= 40 and diagnosis = influenza' \
                       'count where sex = male' 'sum(age) where diagnosis = asthma' \
                       'avg(age)' 'max(age) where diagnosis = gastritis'";

const MODEL: &str = "--model 'l-diversity-distinct(l=3)'";

pub fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for format in ["csv", "parquet", "arrow", "jsonl"] {
        all.push(linked("anatomize", format));
        all.push(permuted("anatomize", format));
    }
    for algorithm in ["auto", "mondrian", "k-member", "full-domain", "peel", "top-down"] {
        all.push(linked(algorithm, "csv"));
    }
    all.push(permuted("mondrian", "csv"));
    all.push(numbers());
    all.push(several());
    all.push(refused());
    all.push(changed());
    all
}

fn linked(algorithm: &str, format: &str) -> Case {
    let make = format!(
        "anonymize ../data/patients.{format} -o out {ROWS} --algorithm {algorithm} \
         --buckets linked {MODEL} --max-suppression 5% --seed 1 --json"
    );
    let steps = [
        make,
        format!("audit out {MODEL} --json"),
        format!("audit out {MODEL} --original {PATIENTS}"),
        "audit out --model 'l-diversity-distinct(l=19)' --json".into(),
        format!("query out {QUERIES} --original {PATIENTS} --json"),
    ];
    Case::new(GROUP, format!("linked-{algorithm}-{format}"), steps)
}

fn permuted(algorithm: &str, format: &str) -> Case {
    let file = format!("out.{format} --group group --sensitive diagnosis");
    let steps = [
        format!(
            "anonymize ../data/patients.{format} -o out.{format} {ROWS} --algorithm {algorithm} \
             --buckets permuted {MODEL} --seed 1 --json"
        ),
        format!("audit {file} {MODEL} --json"),
        format!("audit {file} {MODEL} --original {PATIENTS}"),
        format!("query {QUERIES} {file} --original {PATIENTS} --json").replace(
            &format!("query {QUERIES} out.{format}"),
            &format!("query out.{format} {QUERIES}"),
        ),
    ];
    Case::new(GROUP, format!("permuted-{algorithm}-{format}"), steps)
}

fn numbers() -> Case {
    let make = |more: &str| {
        format!(
            "anonymize {PATIENTS} {COSTS} --algorithm ke-permutation \
             --model 'k-e-anonymity(k=4,e=800)' --seed 1 {more}"
        )
    };
    let steps = [
        make("-o out --json"),
        make("-o out.csv --buckets permuted --json"),
        "audit out --model 'k-e-anonymity(k=4,e=800)' --json".into(),
        format!("query out 'sum(cost) where age > 50' 'avg(cost)' --original {PATIENTS} --json"),
    ];
    Case::new(GROUP, "numbers", steps)
}

fn several() -> Case {
    let roles = "--identifier name,person,birth,admission --qi age,sex,zip,job \
                 --sensitive diagnosis,cost --accept cost";
    let models = "--model 'l-diversity-distinct(l=3,on=diagnosis)' \
                  --model 'variance-diversity(v=1000,on=cost)'";
    let make = |more: &str| {
        format!("anonymize {PATIENTS} {roles} --algorithm mondrian {models} --seed 1 {more}")
    };
    let steps = [
        make("-o out --buckets linked --group-column bucket --table-format parquet --json"),
        make("-o out.csv --buckets permuted --threads 1 --json"),
        format!("audit out {models} --json"),
        make("-o job --buckets linked --print-job > release.toml"),
        "explain release.toml".into(),
        "run release.toml --quiet".into(),
    ];
    Case::new(GROUP, "several-sensitive-columns", steps)
}

fn refused() -> Case {
    let make = |more: &str| format!("anonymize {PATIENTS} {ROWS} --seed 1 {more}");
    let steps = [
        make("-o out --algorithm anatomize --model 'l-diversity-distinct(l=18)'"),
        make("-o out --algorithm anatomize -k 5"),
        make("-o out --buckets linked --model 'lkc-privacy(l=2,k=2,c=0.9)'"),
        make("-o out.csv --algorithm anatomize --model 'l-diversity-distinct(l=2)'"),
        make("-o out --algorithm anatomize --model 'l-diversity-distinct(l=2)' --memory 64MiB"),
        make("-o out.csv --buckets permuted --model 'nonreciprocal-k-anonymity(k=4)'"),
    ];
    Case::new(GROUP, "refused", steps)
}

/// A release that was changed after it was written.
fn changed() -> Case {
    let steps = [
        format!("anonymize {PATIENTS} -o out {ROWS} --algorithm anatomize {MODEL} --seed 1 -q"),
        "!replace out/quasi.csv ,male, ,female,".into(),
        "audit out --json".into(),
        "!replace out/sensitive.csv ,1 ,2".into(),
        "audit out --json".into(),
        "!replace out/release.json sha256 sha257".into(),
        "audit out --json".into(),
        "query out count".into(),
    ];
    Case::new(GROUP, "changed", steps)
}
