//! Baskets published as subsets, in every file layout and by every algorithm.

use super::{Case, Catalogue};

const GROUP: &str = "baskets";

const LINES: &str = "../data/longtail.dat --baskets lines";

const WORTH: &str = "--utilities ../data/longtail_utilities.csv";

/// Settings other than the default.
const VARIANTS: [(&str, &str); 10] = [
    ("set-mondrian", "split=even,polish=true"),
    ("set-mondrian", "split=entropy"),
    ("set-mondrian", "split=utility"),
    ("set-mondrian", "split=utility,polish=false"),
    ("set-cluster", "neighbours=all"),
    ("set-cluster", "neighbours=random"),
    ("set-iterative-cluster", "neighbours=all"),
    ("k1-gather", "neighbours=all"),
    ("k1-gather", "probes=record"),
    ("k1-top-down", "reach=3"),
];

/// Models about subsets, and an algorithm for each.
fn model(name: &str) -> Option<&'static str> {
    Some(match name {
        "k-anonymity" | "1k-anonymity" | "kk-anonymity" => "k-anonymity(k=5)",
        // Copies serve it.
        "km-anonymity" => "k-anonymity(k=5)",
        "k1-anonymity" => "k1-anonymity(k=5)",
        // It needs private items, which a case of its own names.
        "coherence" => "",
        // These are about buckets and bitmaps, which have groups of their own.
        "privacy-degree" | "nonreciprocal-k-anonymity" | "nonreciprocal-l-diversity" => "",
        // It is about the mechanism that draws sets, not about copies.
        "rho1-rho2-breach" => "",
        _ => return None,
    })
}

pub fn cases(catalogue: &Catalogue) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for name in catalogue.names("set-algorithms")? {
        all.push(algorithm(&name, &name));
    }
    for (name, params) in VARIANTS {
        all.push(algorithm(name, &format!("{name}({params})")));
    }
    for name in catalogue.names("set-models")? {
        let serve = model(&name)
            .ok_or(format!("say in the golden cases of baskets how model {name} is served"))?;
        if !serve.is_empty() {
            all.push(of_model(&name, serve));
        }
    }
    all.extend(forms());
    all.extend(options());
    for name in catalogue.names("item-algorithms")? {
        all.push(generalized(&name));
    }
    all.push(coherent());
    Ok(all)
}

/// A tree that is built from the items, and an algorithm that generalizes by it.
fn generalized(name: &str) -> Case {
    let (model, call) = match name {
        "set-partition" => ("k-anonymity(k=4)", name.to_string()),
        // The best cut of so many items is out of reach.
        "optimal-anonymization" => ("km-anonymity(k=4, m=2)", format!("{name}(cuts=20)")),
        _ => ("km-anonymity(k=4, m=2)", name.to_string()),
    };
    let tree = "--item-hierarchy 'order(groups=[4, 4, 4])'";
    let run = |out: &str, more: &str| {
        format!(
            "anonymize {LINES} {tree} --model '{model}' --algorithm '{call}' -o {out} --seed 1 \
             {more}"
        )
    };
    let original = "--original ../data/longtail.dat";
    let steps = [
        run("out.dat", "--json"),
        run("threads1.dat", "--threads 1 --quiet"),
        run("threads2.dat", "--threads 2 --quiet"),
        format!("audit out.dat --baskets lines --model '{model}' --json"),
        format!("audit out.dat --baskets lines {tree} {original} --model '{model}'"),
        "query out.dat 'count where 7'".into(),
    ];
    Case::new(GROUP, format!("generalized-{call}"), steps)
}

fn coherent() -> Case {
    let model = "coherence(h=0.8, k=3, p=2)";
    let steps = [
        format!("anonymize {LINES} --sensitive-items 7,9 --model '{model}' -o out.dat --seed 1"),
        format!("audit out.dat --model '{model}' --json"),
        format!("audit {LINES} --sensitive-items 7,9 --model '{model}'"),
        format!("anonymize {LINES} --model '{model}' -o none.dat --seed 1"),
    ];
    Case::new(GROUP, "coherence", steps)
}

fn algorithm(name: &str, call: &str) -> Case {
    let model = match name {
        "item-suppression" => "km-anonymity(k=4, m=2)",
        name if name.starts_with("k1-") => "k1-anonymity(k=4)",
        _ => "k-anonymity(k=4)",
    };
    let run = |data: &str, out: &str, more: &str| {
        format!("anonymize {data} --model '{model}' --algorithm '{call}' -o {out} --seed 1 {more}")
    };
    let quest = "../data/quest.dat --baskets lines";
    let steps = [
        run(LINES, "out.dat", &format!("{WORTH} --json")),
        run(quest, "quest.dat", "--json"),
        run(LINES, "threads1.dat", "--threads 1 --quiet"),
        run(LINES, "threads2.dat", "--threads 2 --quiet"),
        format!(
            "audit out.dat --baskets lines --original ../data/longtail.dat --model '{model}' --json"
        ),
    ];
    Case::new(GROUP, format!("algorithm-{call}"), steps)
}

fn of_model(name: &str, serve: &str) -> Case {
    let more = if name == "km-anonymity" { ", m=2" } else { "" };
    let audit = |k: u32| format!("audit out.dat --baskets lines --model '{name}(k={k}{more})'");
    let original = "--original ../data/longtail.dat";
    let steps = [
        format!("anonymize {LINES} --model '{serve}' -o out.dat --seed 2 --json"),
        format!("anonymize {LINES} --model '{name}(k=5{more})' -o same.dat --seed 2 --json"),
        format!("{} {original} --json", audit(5)),
        format!("{} {original}", audit(5)),
        format!("{} --json", audit(5)),
        format!("{} {original} --json", audit(700)),
        format!("anonymize {LINES} --model '{name}(k=801{more})' -o none.dat --seed 2"),
    ];
    Case::new(GROUP, format!("model-{name}"), steps)
}

/// Cases for file layouts: the input, its layout, and the extension and layout of the release.
fn forms() -> Vec<Case> {
    let long = "long(id=person,item=diagnosis,drop=[name,birth,age,sex,zip,job,admission,cost])";
    let long_out = "long(id=person,item=diagnosis)";
    let table = "table(categories=[education,marital,race],buckets=[age:10],key=country,\
                 drop=[workclass,occupation,relationship,sex])";
    let table_out = "table(categories=[education,marital,race,age])";
    let patients = "table(categories=[sex,job],buckets=[age:20],key=name,\
                    drop=[person,birth,zip,admission,diagnosis,cost])";
    let patients_out = "table(categories=[sex,job,age])";
    let mut forms = vec![
        ("lines", "quest.dat", "lines", "dat", "lines"),
        ("keyed-lines", "keyed.dat", "lines(key=true)", "dat", "lines"),
        ("lines-packed", "quest.dat", "lines", "dat.gz", "lines"),
        (
            "list-parquet",
            "lists.parquet",
            "list(column=items,key=id)",
            "parquet",
            "list(column=items)",
        ),
        ("list-arrow", "lists.arrow", "list(column=items)", "arrow", "list(column=items)"),
        ("table-csv", "census.csv", table, "csv", table_out),
    ];
    for (ending, name, of_table, of_long) in [
        ("csv", "patients.csv", "table-patients-csv", "long-csv"),
        ("parquet", "patients.parquet", "table-parquet", "long-parquet"),
        ("arrow", "patients.arrow", "table-arrow", "long-arrow"),
        ("jsonl", "patients.jsonl", "table-jsonl", "long-jsonl"),
    ] {
        forms.push((of_table, name, patients, ending, patients_out));
        forms.push((of_long, name, long, ending, long_out));
    }
    let case = |(name, file, form, ending, out_form): (&str, &str, &str, &str, &str)| {
        let (data, out) = (format!("../data/{file}"), format!("out.{ending}"));
        let original = format!("--original {data} --original-baskets '{form}'");
        let audit = format!("audit {out} --baskets '{out_form}' -k 3");
        let make = format!("anonymize {data} --baskets '{form}' -k 3 -o {out} --seed 1");
        let steps = [
            format!("{make} --json"),
            format!("{make} --print-job > release.toml"),
            "explain release.toml".into(),
            format!("{audit} --json"),
            format!("{audit} {original} --model 'kk-anonymity(k=3)' --json"),
            format!("query {out} 'count' --baskets '{out_form}'"),
        ];
        Case::new(GROUP, format!("form-{name}"), steps)
    };
    forms.into_iter().map(case).collect()
}

fn options() -> Vec<Case> {
    let run = |more: &str| format!("anonymize {LINES} -k 4 --seed 1 {more}");
    let comma = "../data/names.csv --baskets 'lines(separator=comma)'";
    vec![
        Case::new(
            GROUP,
            "sensitive-and-dropped-items",
            [
                run("-o out.dat --sensitive-items 7,9 --drop-items 11,12 --json"),
                "audit out.dat --baskets lines --sensitive-items 7,9 -k 4 --json".into(),
            ],
        ),
        Case::new(
            GROUP,
            "suppression",
            [
                run("-o out.dat --max-suppression 30% --json"),
                run("-o none.dat --max-suppression 0"),
            ],
        ),
        Case::new(
            GROUP,
            "reports",
            [run(&format!("-o out.dat {WORTH} --report private.html --public-report public.html"))],
        ),
        Case::new(
            GROUP,
            "order-of-the-input",
            [run("-o out.dat --keep-order --json"), run("-o - > stream.dat")],
        ),
        Case::new(
            GROUP,
            "names",
            [
                "!write names.csv 'bread,milk|bread,milk,salt|milk|milk|bread,milk|'".to_string(),
                format!("anonymize {comma} -k 2 -o out.csv --seed 1 --json")
                    .replace("../data/names.csv", "names.csv"),
            ],
        ),
    ]
}
