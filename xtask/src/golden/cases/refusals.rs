//! What is refused, with which exit code and message. Nothing may be written then.

use super::{Case, PATIENTS, ROWS, TREES};

const GROUP: &str = "refusals";

pub fn cases() -> Vec<Case> {
    let run = |more: &str| format!("anonymize {PATIENTS} -o out.csv {ROWS} --seed 1 {more}");
    let columns = [
        format!("anonymize {PATIENTS} -o out.csv --qi age,sex -k 5"),
        format!("anonymize {PATIENTS} -o out.csv --qi age,nobody -k 5"),
        format!("anonymize {PATIENTS} -o out.csv --qi age --keep age -k 5"),
        run("-k 5 --hierarchy nobody=mask"),
        run("-k 5 --hierarchy job=../data/diagnosis.csv"),
        run("-k 5 --hierarchy job=gone.csv"),
        run("-k 5 --hierarchy 'age=intervall(width=5)'"),
        run("-k 5 --type age=date"),
        run("-k 5 --weight age=-1"),
        run("-k 5 --publish sex=mean"),
        run("-k 5 --publish age=median"),
        run("-k 5 --snap age=5"),
    ];
    let models = [
        run(""),
        run("-k 0"),
        run("--model 'k-anonimity(k=2)'"),
        run("--model 'k-anonymity(k=two)'"),
        run("--model 'l-diversity-distinct(on=diagnosis)'"),
        run("--model 'l-diversity-distinct(l=2,on=age)'"),
        run("--model 't-closeness(t=1.5)'"),
        run("--model 't-closeness(t=0.5,distance=hierarchical)'"),
        run("--model 'variance-diversity(v=1)'"),
        run("--model 'personalized-privacy(breach=0.5)'"),
        run("--model 'privacy-degree(p=2)'"),
        run("-k 5 --algorithm mondrain"),
        run("-k 5 --algorithm 'mondrian(strict=true)'"),
        run("-k 5 --algorithm set-mondrian"),
        run("-k 5 --algorithm nonreciprocal-boxes"),
        run("--algorithm mondrian --model 'lkc-privacy(l=2,k=2,c=0.5)'"),
        run("-k 5 --metric npc"),
        run("-k 5 --workload 'classification(target=nobody)'"),
    ];
    let infeasible = [
        run("-k 1501"),
        run("-k 1501 --max-suppression 50%"),
        run("--model 'l-diversity-distinct(l=19)'"),
        run(&format!("{TREES} -k 5 --model 't-closeness(t=0)' --algorithm mondrian")),
        run(&format!("{TREES} -k 1400 --model 'lkc-privacy(l=4,k=1501,c=1)'")),
        run("--model 'nonreciprocal-k-anonymity(k=1501)'"),
    ];
    let files = [
        "anonymize gone.csv -o out.csv --qi a -k 2".to_string(),
        format!("anonymize {PATIENTS} -o nowhere/out.csv {ROWS} -k 5"),
        run("-k 5 --memory 10MiB"),
        run("-k 5 --memory lots"),
        run("-k 5 --threads 0"),
        run("-k 5 --delimiter ';'"),
        "!write torn.csv 'a,b|1,2|3|'".into(),
        "anonymize torn.csv -o out.csv --qi a,b -k 1".into(),
        "!write empty.csv ''".into(),
        "anonymize empty.csv -o out.csv --qi a -k 1".into(),
        "run gone.toml".into(),
        "!write bad.toml '[input]|path = 3|'".into(),
        "run bad.toml".into(),
        "anonymize ../data/quest.dat --baskets line -k 2 -o out.dat".into(),
        "anonymize ../data/quest.dat --baskets lines -k 2 --qi a -o out.dat".into(),
        "anonymize ../data/quest.dat --baskets lines -k 2 --memory 1GiB -o out.dat".into(),
        "anonymize ../data/quest.dat --baskets lines -k 2 --sensitive-items x -o out.dat".into(),
        "anonymize ../data/quest.dat --baskets lines --model 't-closeness(t=0.1)' -o out.dat"
            .into(),
        "anonymize ../data/quest.dat --baskets lines -k 2 --algorithm peel -o out.dat".into(),
        "anonymize ../data/patients.csv --baskets 'long(id=a,item=job)' -k 2 -o out.csv".into(),
    ];
    let asked = [
        run("-k 5 --quiet"),
        "audit gone.csv --qi age".into(),
        "audit out.csv".into(),
        "audit out.csv --qi age,nobody".into(),
        "audit out.csv --qi age,sex,zip,job -k 50".into(),
        "audit out.csv --qi age,sex,zip,job --model 'nonreciprocal-k-anonymity(k=4)'".into(),
        "audit out.csv --qi age --group age --sensitive diagnosis".into(),
        "audit out.csv --baskets lines -k 2".into(),
        "query out.csv 'median(age)'".into(),
        "query out.csv 'count where aeg > 3'".into(),
        "query out.csv 'count where age > forty'".into(),
        "query out.csv 'sum(sex)'".into(),
        "query gone.csv count".into(),
        "apply gone.json out.csv -o new.csv".into(),
        "explain gone.toml".into(),
        format!("explore {PATIENTS} {ROWS} --ks 1501"),
        "hierarchy show gone.csv".into(),
        "list models nothing".into(),
        "generate nothing --rows 3 -o out.dat".into(),
    ];
    vec![
        Case::new(GROUP, "columns", columns),
        Case::new(GROUP, "models", models),
        Case::new(GROUP, "infeasible", infeasible),
        Case::new(GROUP, "files", files),
        Case::new(GROUP, "questions", asked),
    ]
}
