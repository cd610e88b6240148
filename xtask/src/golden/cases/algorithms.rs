//! Every algorithm for tables, with its parameters.

use super::{CENSUS, CENSUS_TREES, COSTS, Case, Catalogue, LOANS, PATIENTS, ROWS, TREES};

const GROUP: &str = "algorithms";

/// Settings other than the default.
const VARIANTS: [(&str, &str); 19] = [
    ("mondrian", "split=widest,leftovers=none"),
    ("mondrian", "leftovers=keep,cuts=median"),
    ("mondrian", "relaxed=true,tighten=false"),
    ("peel", "search=false"),
    ("peel", "quantiles=2"),
    ("bottom-up", "partner=growth"),
    ("genetic", "population=20"),
    ("mu-argus", "combinations=2"),
    ("nonreciprocal-boxes", "start=ring"),
    ("nonreciprocal-boxes", "order=halves,exchange=false"),
    ("r-gather", "refine=false"),
    ("rothko-sample", "sample=300,partition_rows=200"),
    ("rothko-sample", "sample=200,partition_rows=150,tests=false"),
    ("rothko-tree", "partition_rows=200"),
    ("rothko-tree", "partition_rows=200,groups=2"),
    ("top-down-specialization", "score=igpl"),
    ("top-down-specialization", "score=dm-after"),
    ("top-down-specialization", "score=dm-before"),
    ("top-down-specialization", "score=dm-reduction"),
];

pub fn cases(catalogue: &Catalogue) -> Result<Vec<Case>, String> {
    let mut all = Vec::new();
    for name in catalogue.names("algorithms")? {
        all.push(case(&name, &name));
    }
    all.push(case("auto", "auto"));
    for (name, params) in VARIANTS {
        all.push(case(name, &format!("{name}({params})")));
    }
    Ok(all)
}

/// One algorithm on three tables: with trees, with ranges, and with a class to predict.
fn case(name: &str, call: &str) -> Case {
    let run = |what: &str, out: &str, more: &str| {
        format!("anonymize {what} -o {out} --algorithm '{call}' {more} --seed 1")
    };
    let rows = format!("{PATIENTS} {ROWS}");
    let steps = match name {
        "anatomize" => {
            vec![run(&rows, "out", "--model 'l-diversity-distinct(l=3)' --json")]
        }
        "ke-permutation" => {
            let model = "--model 'k-e-anonymity(k=3,e=500)' --json";
            vec![run(&format!("{PATIENTS} {COSTS}"), "out", model)]
        }
        "nonreciprocal-boxes" => {
            let model = "--model 'nonreciprocal-k-anonymity(k=4)' --json";
            vec![
                run(&format!("{rows} {TREES}"), "trees.csv", model),
                run(&rows, "ranges.csv", model),
            ]
        }
        "rothko-sample" | "rothko-tree" => {
            let engine = name.trim_start_matches("rothko-");
            let memory = format!("--engine {engine} --memory 64MiB --json");
            vec![run(&rows, "ranges.csv", &format!("-k 5 {memory}"))]
        }
        "mu-argus" => {
            // It looks at combinations of three columns at most, and so must the model.
            let l = if call.contains("combinations=2") { 2 } else { 3 };
            let model = format!("--model 'lkc-privacy(l={l},k=5,c=1)' --json");
            vec![
                run(&format!("{CENSUS} {CENSUS_TREES}"), "trees.csv", &model),
                run(&rows, "ranges.csv", &model),
                run(LOANS, "loans.csv", "-k 10 --quiet"),
            ]
        }
        _ => {
            let trees = format!("{CENSUS} {CENSUS_TREES}");
            let recoding = "-k 5 --max-suppression 2% --save-recoding recoding.json --json";
            // One algorithm goes up trees only.
            let rows =
                if call == "bottom-up-generalization" { format!("{rows} {TREES}") } else { rows };
            vec![
                run(&trees, "trees.csv", recoding),
                run(&rows, "ranges.csv", "-k 4 --model 'l-diversity-distinct(l=2)' --quiet"),
                run(LOANS, "loans.csv", "-k 10 --workload 'classification(target=class)' --quiet"),
            ]
        }
    };
    Case::new(GROUP, call, steps)
}
