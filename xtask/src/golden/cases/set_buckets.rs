//! Baskets whose harmless items are published as they are, and whose sensitive items by group.

use super::{Case, Catalogue};

const GROUP: &str = "set-buckets";

const LINES: &str = "../data/quest.dat --baskets lines --sensitive-items 5,19,40";

const MODEL: &str = "--model 'privacy-degree(p=4)'";

const QUERIES: &str = "'count where 12 and not 23' 'count where 19' 'count where 12 and 40' count";

pub fn cases(catalogue: &Catalogue) -> Result<Vec<Case>, String> {
    let mut algorithms = catalogue.names("bucket-algorithms")?;
    algorithms.extend(
        ["cahd(alpha=6,order=input)", "cahd(similarity=common)", "perm-mondrian(split=even)"]
            .map(String::from),
    );
    let mut all: Vec<Case> = algorithms.iter().map(|call| linked(call)).collect();
    all.extend(algorithms.iter().map(|call| permuted(call)));
    all.extend(["lists.parquet", "lists.arrow"].map(lists));
    all.push(long());
    all.push(refused());
    Ok(all)
}

fn linked(call: &str) -> Case {
    let make = format!("anonymize {LINES} {MODEL} --algorithm '{call}' -o out --seed 1");
    let original = "--original ../data/quest.dat --original-baskets lines";
    let steps = [
        format!("{make} --json"),
        format!("{make} --threads 1 --quiet").replace("-o out", "-o threads"),
        format!("audit out {MODEL} --json"),
        format!("audit out {MODEL} {original} --json"),
        "audit out --model 'privacy-degree(p=50)'".into(),
        format!("query out {QUERIES} {original} --json"),
        format!("{make} --print-job > release.toml"),
        "explain release.toml".into(),
    ];
    Case::new(GROUP, format!("linked-{call}"), steps)
}

fn permuted(call: &str) -> Case {
    let form = "--baskets 'lines(key=true)' --sensitive-items 5,19,40";
    let original = "--original ../data/quest.dat --original-baskets lines";
    let steps = [
        format!(
            "anonymize {LINES} {MODEL} --algorithm '{call}' --buckets permuted -o out.dat \
             --seed 1 --json"
        ),
        format!("audit out.dat {form} {MODEL} --json"),
        format!("audit out.dat {form} {MODEL} {original} --json"),
        format!("query out.dat {QUERIES} {form} {original} --json"),
    ];
    Case::new(GROUP, format!("permuted-{call}"), steps)
}

fn lists(file: &str) -> Case {
    let is_text = file.ends_with("parquet");
    let form = if is_text { "list(column=items,key=id)" } else { "list(column=items)" };
    let items = if is_text { "honey,wine" } else { "10,21" };
    let ending = file.rsplit('.').next().unwrap_or_default();
    let make = |more: &str| {
        format!(
            "anonymize ../data/{file} --baskets '{form}' --sensitive-items {items} {MODEL} \
             --seed 1 {more}"
        )
    };
    let steps = [
        make("-o out --json"),
        make(&format!("-o out.{ending} --buckets permuted --json")),
        format!("audit out {MODEL} --original ../data/{file} --original-baskets '{form}' --json"),
        format!("query out 'count where {}' --json", items.split(',').next().unwrap_or_default()),
    ];
    Case::new(GROUP, file, steps)
}

fn long() -> Case {
    let form = "long(id=person,item=diagnosis,drop=[name,birth,age,sex,zip,job,admission,cost])";
    let steps = [
        format!(
            "anonymize ../data/patients.csv --baskets '{form}' --sensitive-items asthma,migraine \
             --model 'privacy-degree(p=3)' -o out --seed 1 --json"
        ),
        "audit out --model 'privacy-degree(p=3)' --json".into(),
    ];
    Case::new(GROUP, "long", steps)
}

fn refused() -> Case {
    let run = |more: &str| format!("anonymize {LINES} -o out --seed 1 {more}");
    let steps = [
        run("--model 'privacy-degree(p=300)'"),
        run("--model 'privacy-degree(p=2)' -k 2"),
        run("--model 'privacy-degree(p=2)' --algorithm two-phase"),
        "anonymize ../data/quest.dat --baskets lines --model 'privacy-degree(p=2)' -o out".into(),
        run(&format!("{MODEL} --quiet")),
        "!replace out/quasi.dat 1 2".into(),
        "audit out".into(),
    ];
    Case::new(GROUP, "refused", steps)
}
