//! Baskets published as sets that may be wrong, with a statement of where.

use super::{Case, Catalogue};

const GROUP: &str = "bitmaps";

const LINES: &str = "../data/quest.dat --baskets lines";

const QUERIES: &str = "'count where 12 and not 23' 'count where 19' count";

const ORIGINAL: &str = "--original ../data/quest.dat --original-baskets lines";

pub fn cases(catalogue: &Catalogue) -> Result<Vec<Case>, String> {
    let mut algorithms = catalogue.names("bitmap-algorithms")?;
    algorithms.extend(
        ["nonreciprocal-ring(order=gray)", "nonreciprocal-greedy(order=gray,kicks=0)"]
            .map(String::from),
    );
    algorithms.push("nonreciprocal-ring(segment_min=40,segment_max=60,kicks=4)".into());
    algorithms.push("auto".into());
    let mut all: Vec<Case> = algorithms.iter().map(|call| lines(call)).collect();
    all.push(diverse());
    all.extend(["lists.parquet", "lists.arrow"].map(lists));
    all.push(long());
    all.push(refused());
    Ok(all)
}

fn lines(call: &str) -> Case {
    let model = "--model 'nonreciprocal-k-anonymity(k=4)'";
    let make = format!("anonymize {LINES} {model} --algorithm '{call}' -o out --seed 1");
    let steps = [
        format!("{make} --json"),
        format!("{make} --threads 1 --quiet").replace("-o out", "-o threads"),
        format!("audit out {model} {ORIGINAL} --json"),
        format!("audit out --model 'nonreciprocal-k-anonymity(k=500)' {ORIGINAL}"),
        "audit out --json".into(),
        format!("query out {QUERIES} {ORIGINAL} --json"),
        format!("{make} --print-job > release.toml"),
        "explain release.toml".into(),
    ];
    Case::new(GROUP, format!("lines-{call}"), steps)
}

fn diverse() -> Case {
    let labels = "--sensitive-items 'Christian,Muslim,Buddhist'";
    let log = "jogging,swimming,Christian|swimming,tennis,Christian|jogging,swimming,soccer,Muslim|\
               swimming,tennis,soccer,Buddhist|jogging,swimming,tennis,Buddhist|\
               jogging,tennis,soccer,Muslim|chess,Christian|chess,swimming||jogging,chess|";
    let form = "--baskets 'lines(separator=comma)'";
    let model = "--model 'nonreciprocal-l-diversity(l=3)'";
    let steps = [
        format!("!write log.csv '{log}'"),
        format!("anonymize log.csv {form} {labels} {model} -o out --seed 4 --json"),
        format!("audit out {model} --original log.csv {form} --json"),
        format!("anonymize log.csv {form} {labels} -o no --model 'nonreciprocal-l-diversity(l=4)'"),
        format!("query out 'count where Muslim and not tennis' --original log.csv {form} --json"),
    ];
    Case::new(GROUP, "diverse", steps)
}

fn lists(file: &str) -> Case {
    let is_text = file.ends_with("parquet");
    let form = if is_text { "list(column=items,key=id)" } else { "list(column=items)" };
    let query = if is_text { "count where bread and not milk" } else { "count where 2 and not 13" };
    let model = "--model 'nonreciprocal-k-anonymity(k=5)'";
    let original = format!("--original ../data/{file} --original-baskets '{form}'");
    let steps = [
        format!("anonymize ../data/{file} --baskets '{form}' {model} -o out --seed 1 --json"),
        format!("audit out {model} {original} --json"),
        format!("query out '{query}' {original} --json"),
    ];
    Case::new(GROUP, file, steps)
}

fn long() -> Case {
    let form = "long(id=person,item=diagnosis,drop=[name,birth,age,sex,zip,job,admission,cost])";
    let table = "table(categories=[education,marital],flags=[],key=country,\
                 drop=[age,workclass,occupation,relationship,sex,race])";
    let model = "--model 'nonreciprocal-k-anonymity(k=3)'";
    let steps = [
        format!("anonymize ../data/patients.csv --baskets '{form}' {model} -o out --seed 1 --json"),
        format!(
            "anonymize ../data/census.csv --baskets '{table}' {model} -o table --seed 1 --json"
        ),
        format!(
            "audit out {model} --original ../data/patients.csv --original-baskets '{form}' --json"
        ),
    ];
    Case::new(GROUP, "long-and-table", steps)
}

fn refused() -> Case {
    let run = |more: &str| {
        format!("anonymize {LINES} --model 'nonreciprocal-k-anonymity(k=4)' --seed 1 {more}")
    };
    let steps = [
        run("-o out --keep-order"),
        run("-o out --buckets linked"),
        run("-o out --max-suppression 10%"),
        run("-o out.dat"),
        run("-o out --algorithm set-mondrian"),
        run("-o out -k 2"),
        run("-o out --model 'nonreciprocal-k-anonymity(k=601)'"),
        run("-o out --quiet"),
        "audit out --model 'nonreciprocal-k-anonymity(k=4)'".into(),
        format!("audit out -k 2 {ORIGINAL}"),
        "query out 'count where golf'".into(),
        "!replace out/base.dat 1 2".into(),
        format!("audit out {ORIGINAL}"),
    ];
    Case::new(GROUP, "refused", steps)
}
