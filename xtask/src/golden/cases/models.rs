//! Every model for tables and for sets: kept by a run, audited, and asked for more than the data
//! allow.

use super::{COSTS, Case, Catalogue, PATIENTS, ROWS, TREES};

const GROUP: &str = "models";

/// The hierarchy of the sensitive column, for models that speak of its categories.
const OF_DIAGNOSIS: &str = "--hierarchy diagnosis=../data/diagnosis.csv";

/// Parameters of every model for tables: some that can be met, and some that can't.
fn params(model: &str) -> Option<[&'static str; 2]> {
    Some(match model {
        "k-anonymity" => ["k=7", "k=1501"],
        "l-diversity-disclosure" => ["c=3,l=3", "c=0.1,l=9"],
        "l-diversity-distinct" => ["l=4", "l=19"],
        "l-diversity-entropy" => ["l=3", "l=18"],
        "l-diversity-recursive" => ["c=2,l=3", "c=0.1,l=9"],
        "t-closeness" => ["t=0.4", "t=0"],
        "alpha-k-anonymity" => ["alpha=0.6,k=4", "alpha=0.01,k=4"],
        "beta-likeness-basic" => ["beta=4", "beta=0.0001"],
        "beta-likeness-enhanced" => ["beta=4", "beta=0.0001"],
        "confidence-bounding" => ["h=0.5", "h=0.01"],
        "delta-disclosure" => ["delta=3", "delta=0.0001"],
        "eps-m-anonymity" => ["eps=100,m=3", "eps=100000,m=3"],
        "k-e-anonymity" => ["k=4,e=1000", "k=2000,e=10"],
        "lkc-privacy" => ["l=2,k=5,c=0.8", "l=2,k=5,c=0.01"],
        "multi-k-anonymity" => ["qids=[age+zip,sex+job],k=[4,11]", "qids=[age+zip],k=[1501]"],
        "nonreciprocal-k-anonymity" => ["k=4", "k=1501"],
        "p-alpha-anonymity" => ["p=2,alpha=0.9", "p=19,alpha=0.01"],
        "p-sensitive-k-anonymity" => ["p=2,k=5", "p=19,k=20"],
        "personalized-privacy" => ["breach=0.6", "breach=0.01"],
        "skyline-privacy" => {
            ["excluded=1,told=1,alike=1,h=0.9", "excluded=3,told=5,alike=2,h=0.01"]
        }
        "variance-diversity" => ["v=1000", "v=1000000000000"],
        "xy-anonymity" => ["x=[age,sex],k=3", "x=[age,sex],k=19"],
        "xy-linkability" => ["x=[age,sex],h=0.8", "x=[age,sex],h=0.01"],
        "xy-privacy" => ["x=[age,sex],k=5,h=0.8", "x=[age,sex],k=1501,h=0.8"],
        // Without a ledger, and in an audit of one release, they are refused.
        "bcf-anonymity" => ["k=4", "k=1501"],
        "m-invariance" => ["m=2", "m=19"],
        "hd-composition" => ["l=2,values=[flu]", "l=19,values=[flu]"],
        "incremental-l-diversity" => ["l=2", "l=19"],
        "sequential-xy-privacy" => ["x=[age],y=[diagnosis],k=2", "x=[age],y=[diagnosis],k=19"],
        // The patients are their own population: everybody is in the data.
        "delta-presence" => ["min=0.5,max=1", "max=0.5"],
        "k-map" => ["k=4", "k=1501"],
        // Without a subject column it is refused.
        "multirelational-k-anonymity" => ["k=4", "k=1501"],
        // Without items they are refused, too.
        "coherence" => ["h=0.8,k=2,p=2", "h=0.01,k=1501,p=2"],
        "km-anonymity" => ["k=4,m=2", "k=1501,m=2"],
        _ => return None,
    })
}

pub fn cases(catalogue: &Catalogue) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for model in catalogue.names("models")? {
        let [met, unmet] = params(&model)
            .ok_or(format!("say the parameters of model {model} in the golden cases of models"))?;
        all.push(case(&model, met, unmet));
    }
    all.extend(more());
    Ok(all)
}

fn case(model: &str, met: &str, unmet: &str) -> Case {
    let is_number = ["eps-m-anonymity", "k-e-anonymity", "variance-diversity"].contains(&model);
    let is_guard = model == "personalized-privacy";
    let (roles, sensitive) = if is_number { (COSTS, "cost") } else { (ROWS, "diagnosis") };
    // What people ask to be kept is the group of diseases of their job's column, made up.
    let (data, roles) = if is_guard {
        ("wishes.csv", "--qi age --sensitive disease --guard wish --hierarchy disease=tree.csv")
    } else {
        (PATIENTS, roles)
    };
    let trees = match model {
        "personalized-privacy" => String::new(),
        "p-alpha-anonymity" => format!("{TREES} {OF_DIAGNOSIS}"),
        _ => TREES.to_owned(),
    };
    let people = match ["delta-presence", "k-map"].contains(&model) {
        true => format!(" --population-table {PATIENTS}"),
        false => String::new(),
    };
    let run = |params: &str, out: &str, more: &str| {
        format!(
            "anonymize {data} -o {out} {roles} {trees} --model '{model}({params})'{people} \
             {more} --seed 1"
        )
    };
    let mut steps = if is_guard { wishes() } else { Vec::new() };
    steps.push(run(met, "out.csv", "--json"));
    steps.push(run(met, "some.csv", "--max-suppression 3% --algorithm full-domain --quiet"));
    if !is_guard {
        let qi = format!("audit out.csv --qi age,sex,zip,job --sensitive {sensitive}{people}");
        for params in [met, unmet] {
            let tree = if model == "p-alpha-anonymity" { OF_DIAGNOSIS } else { "" };
            let audit = format!("{qi} --model '{model}({params})'");
            steps.push(format!("{audit} {tree} --json"));
            steps.push(format!("{audit} --original {PATIENTS} {trees}"));
            steps.push(format!("{audit} {tree} --memory 64MiB"));
        }
    }
    steps.push(run(unmet, "none.csv", ""));
    Case::new(GROUP, model, steps)
}

/// A table in which some people named what must not be learnt of them.
pub fn wishes() -> Vec<String> {
    let diseases = ["flu", "gout", "pneumonia", "arthritis"];
    let wishes = ["lungs", "", "", "flu", "", "", "", "gout"];
    let mut rows = String::from("age,disease,wish|");
    for i in 0..64 {
        let (age, disease) = (20 + i * 7 % 30, diseases[i % 4]);
        rows += &format!("{age},{disease},{}|", wishes[i * 3 % 8]);
    }
    let tree = "flu;lungs;*|pneumonia;lungs;*|gout;joints;*|arthritis;joints;*|";
    vec![format!("!write wishes.csv '{rows}'"), format!("!write tree.csv '{tree}'")]
}

/// Models together, on several columns, with other distances and guarded values.
fn more() -> Vec<Case> {
    let two = "--identifier name,person,birth,admission --qi age,sex,zip,job \
               --sensitive diagnosis,cost --accept cost";
    let run = |roles: &str, models: &str| {
        format!("anonymize {PATIENTS} -o out.csv {roles} {TREES} {models} --seed 1 --json")
    };
    let audit = |models: &str| {
        format!("audit out.csv --qi age,sex,zip,job --sensitive diagnosis {models} --json")
    };
    let hierarchical = "--model 't-closeness(t=0.4,distance=hierarchical)'";
    let guarded = "--model 'alpha-k-anonymity(alpha=0.3,k=3,values=[influenza,asthma])'";
    vec![
        Case::new(
            GROUP,
            "several",
            [
                run(ROWS, "-k 5 --model 'l-diversity-entropy(l=2)' --model 't-closeness(t=0.6)'"),
                audit("-k 5 --model 'l-diversity-entropy(l=2)' --model 't-closeness(t=0.6)'"),
            ],
        ),
        Case::new(
            GROUP,
            "two-sensitive-columns",
            [run(
                two,
                "--model 'l-diversity-distinct(l=2,on=diagnosis)' \
                 --model 'variance-diversity(v=1000,on=cost)'",
            )],
        ),
        Case::new(
            GROUP,
            "hierarchical-distance",
            [
                run(&format!("{ROWS} {OF_DIAGNOSIS}"), hierarchical),
                audit(&format!("{hierarchical} {OF_DIAGNOSIS}")),
            ],
        ),
        Case::new(GROUP, "guarded-values", [run(ROWS, guarded), audit(guarded)]),
        Case::new(
            GROUP,
            "recursive-not-strict",
            [run(ROWS, "--model 'l-diversity-recursive(c=2,l=3,strict=false)'")],
        ),
        Case::new(
            GROUP,
            "projections-by-full-domain",
            [
                run(ROWS, "--model 'lkc-privacy(l=2,k=5,c=0.8)' --algorithm full-domain"),
                audit("--model 'lkc-privacy(l=2,k=5,c=0.8)' --memory 64MiB"),
                run(ROWS, "--model 'lkc-privacy(l=2,k=5,c=0.8)' --algorithm mondrian"),
            ],
        ),
        Case::new(
            GROUP,
            "matches-by-classes",
            [
                run(ROWS, "--model 'nonreciprocal-k-anonymity(k=4)' --algorithm mondrian"),
                run(
                    ROWS,
                    "--model 'nonreciprocal-k-anonymity(k=4)' --model 'l-diversity-distinct(l=2)'",
                ),
            ],
        ),
    ]
}
