//! Statistics of regions and queries over releases, as a user meets them.

use crate::support::{Folder, ROLES, ROLES_WITH_SUBJECT, rows};

const STATISTICS: &str =
    "--publish age=interval,range,mean --publish zip=range --snap age=5 -k 4 --seed 1";

#[test]
fn a_release_carries_statistics_and_says_so() {
    let folder = Folder::with_people();
    let report = folder.report(&format!("anonymize people.csv -o out.csv {ROLES} {STATISTICS}"));
    let text = folder.text("out.csv");
    let table = rows(&text);
    assert_eq!(
        table[0],
        ["age", "age.min", "age.max", "age.mean", "sex", "zip.min", "zip.max", "disease", "pay"]
    );
    let told = table.iter().skip(1).filter(|row| !row[1].is_empty()).count();
    assert!(told > 0);
    for row in table.iter().skip(1) {
        let number = |place: usize| row[place].parse::<i64>().unwrap_or(0);
        assert!((1..=3).all(|place| number(place) % 5 == 0), "{row:?}");
        assert!(row[1].is_empty() || number(1) <= number(2));
    }
    let statistics = report["statistics"].as_array().unwrap();
    assert_eq!(statistics.len(), 5);
    assert_eq!(statistics[0]["name"], "age.min");
    assert_eq!(
        (&statistics[0]["data_bearing"], &statistics[0]["snap"]),
        (&true.into(), &5.0.into())
    );
    let withheld = statistics[0]["withheld_records"].as_u64().unwrap()
        + statistics[0]["empty"].as_u64().unwrap();
    assert_eq!(withheld as usize, table.len() - 1 - told);
    let warnings = report["warnings"].to_string();
    assert!(
        warnings
            .contains("age.min, age.max, age.mean are made from real values of the data, snapped"),
        "{warnings}"
    );
    assert!(warnings.contains("zip.min, zip.max are made from real values"), "{warnings}");
    let note = report["columns"]
        .as_array()
        .unwrap()
        .iter()
        .find(|column| column["name"] == "age")
        .unwrap();
    assert!(note["note"].as_str().unwrap().contains("real values"));
}

#[test]
fn every_format_has_types_and_passes_its_verification() {
    let folder = Folder::with_people();
    let mut answers = Vec::new();
    for format in ["csv", "parquet", "arrow", "jsonl", "csv.gz"] {
        folder.succeed(&format!(
            "anonymize people.csv -o out.{format} {ROLES} {STATISTICS} --publish \
                zip=interval,mean,range"
        ));
        let query = [
            "query",
            &format!("out.{format}"),
            "avg(age) where sex = m",
            "count where zip < 10200",
            "--json",
        ];
        let outcome = folder.run_arguments(&query, &[]);
        assert_eq!(outcome.code, 0, "{}", outcome.stderr);
        answers.push(outcome.stdout.replace(&format!("out.{format}"), "out"));
    }
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
    let lines = folder.text("out.jsonl");
    assert!(
        lines
            .lines()
            .any(|line| line.contains("\"age.mean\":") && !line.contains("\"age.mean\":\"")),
        "{lines}"
    );
    assert!(!lines.contains("\"age.min\":\""), "numbers are numbers");
}

#[test]
fn people_are_counted_not_rows() {
    let folder = Folder::with_people();
    // Two rows are of one person: with k = 4 a class of 4 rows has too few people for itself, so
    // classes have 8.
    let report = folder
        .report(&format!("anonymize people.csv -o out.csv {ROLES_WITH_SUBJECT} {STATISTICS}"));
    assert!(report["guarantees"][0]["achieved"].as_f64().unwrap() >= 4.0);
    assert_eq!(report["statistics"][0]["withheld_small"], 0);
}

#[test]
fn workloads_and_jobs_ask_for_statistics_too() {
    let folder = Folder::with_people();
    let words = format!(
        "anonymize people.csv -o out.csv {ROLES} -k 4 --workload \
            aggregation(column=age,statistics=[mean]) --snap age=0.5"
    );
    folder.succeed(&words);
    assert!(folder.text("out.csv").starts_with("age,age.mean,sex,zip,"));
    let printed = folder.succeed(&format!("{words} --publish zip=range --print-job")).stdout;
    assert!(
        printed.contains("publish = [\"range\"]") && printed.contains("snap = 0.5"),
        "{printed}"
    );
    assert!(printed.contains("aggregation(column=age,statistics=[mean])"), "{printed}");
    folder.write("release.toml", printed);
    folder.succeed("run release.toml");
    assert!(folder.text("out.csv").starts_with("age,age.mean,sex,zip.min,zip.max,"));
    let plan = folder.succeed("explain release.toml").stdout;
    assert!(
        plan.contains("publish    age as interval, mean, snapped to multiples of 0.5"),
        "{plan}"
    );
}

#[test]
fn wrong_forms_are_refused_before_anything_is_written() {
    let folder = Folder::with_people();
    folder.write("clash.csv", folder.text("people.csv").replace("name,person", "age.min,person"));
    let clash = "clash.csv -o out.csv --identifier person --qi age,sex,zip --sensitive disease \
        --keep pay,age.min --accept age.min -k 4";
    let people = format!("people.csv -o out.csv {ROLES} -k 4");
    for (words, message) in [
        (format!("{people} --publish age=median"), "can't be published as 'median'"),
        (format!("{people} --publish sex=mean"), "column 'sex' is text: only numbers"),
        (format!("{people} --publish pay=mean"), "column 'pay' is keep"),
        (format!("{people} --publish nobody=mean"), "nobody"),
        (format!("{people} --publish age="), "column=value"),
        (format!("{people} --publish age=range --snap age=0"), "must be a number above 0"),
        (format!("{people} --publish age=range --snap age=-5"), "must be a number above 0"),
        (format!("{people} --publish age=range --snap age=x"), "must be a number above 0"),
        (format!("{people} --snap age=5"), "a snap and no statistic"),
        (
            format!("{people} --publish age=mean --model lkc-privacy(l=2,k=2,c=0.9)"),
            "statistics are of whole classes",
        ),
        (format!("{clash} --publish age=range"), "has a column 'age.min' already"),
    ] {
        let outcome = folder.run(&format!("anonymize {words}"));
        assert_eq!(outcome.code, 2, "{words}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{words}: {}", outcome.stderr);
        assert!(!folder.names().contains(&"out.csv".to_string()), "{words}");
    }
}

#[test]
fn statistics_count_in_an_audit_and_are_computed_anew_for_new_rows() {
    let folder = Folder::with_people();
    folder.succeed(&format!(
        "anonymize people.csv -o out.csv {ROLES} {STATISTICS} --save-recoding saved.json"
    ));
    let audit = folder.succeed(
        "audit out.csv --qi age,sex,zip --sensitive disease -k 4 --original people.csv --json",
    );
    let audit: serde_json::Value = serde_json::from_str(&audit.stdout).unwrap();
    assert_eq!(audit["holds"], true);
    assert_eq!(audit["quasi"].as_array().unwrap().len(), 7, "{}", audit["quasi"]);
    folder.succeed("apply saved.json people.csv -o again.csv --unseen extend");
    let again = folder.text("again.csv");
    assert!(again.starts_with("age,age.min,age.max,age.mean,sex,zip.min,zip.max,"));
    folder.succeed("audit again.csv --qi age,sex,zip -k 4");
    folder.succeed(&format!(
        "anonymize people.csv -o cuts.csv {ROLES} -k 4 --publish \
        age=interval,mean --algorithm full-domain --save-recoding cuts.json"
    ));
    let sql = folder.run("apply cuts.json --sql");
    assert!(sql.code != 0 && sql.stderr.contains("statistics of regions"), "{}", sql.stderr);
}

#[test]
fn a_first_query() {
    let folder = Folder::with_people();
    folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES} -k 4 --seed 1"));
    let query = [
        "query",
        "out.csv",
        "count where age >= 40",
        "avg(pay)",
        "max(age)",
        "--original",
        "people.csv",
    ];
    let outcome = folder.run_arguments(&query, &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stdout.contains("count where age >= 40\n  about "), "{}", outcome.stdout);
    assert!(
        outcome.stdout.contains("; in truth ") && outcome.stdout.contains("imprecision "),
        "{}",
        outcome.stdout
    );
    let json =
        folder.run_arguments(&["query", "out.csv", "count", "count where age < 0", "--json"], &[]);
    let json: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(json["answers"][0]["estimate"], 80);
    assert_eq!(json["answers"][1]["upper"], 0);
}

#[test]
fn labels_need_their_hierarchy() {
    let folder = Folder::with_people();
    let mask = "--hierarchy zip=mask(from=right)";
    let words = format!("anonymize people.csv -o out.csv {ROLES} {mask} -k 4 --seed 1");
    folder.succeed(&words);
    let ask = |more: &[&str]| {
        let mut words = vec!["query", "out.csv", "count where zip = 1000*"];
        words.extend(more);
        folder.run_arguments(&words, &[])
    };
    let outcome = ask(&[]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("of column 'zip' can't be interpreted"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--hierarchy zip=FILE"), "{}", outcome.stderr);
    let outcome = ask(&["--hierarchy", "zip=mask(from=right)"]);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("made from the data"), "{}", outcome.stderr);
    folder.write("release.toml", folder.succeed(&format!("{words} --print-job")).stdout);
    let by_job = ask(&["--job", "release.toml"]);
    assert_eq!(by_job.code, 0, "{}", by_job.stderr);
    let by_data = ask(&["--hierarchy", "zip=mask(from=right)", "--original", "people.csv"]);
    assert_eq!(by_data.code, 0, "{}", by_data.stderr);
    assert!(by_data.stdout.contains("in truth"));
}

#[test]
fn bad_queries_are_told_apart() {
    let folder = Folder::with_people();
    folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES} -k 4"));
    for (query, message) in [
        ("median(age)", "must begin with count"),
        ("sum(nobody)", "the file has no column 'nobody'"),
        ("count where aeg > 3", "did you mean 'age'"),
        ("count where age > forty", "'forty' isn't a value of column 'age'"),
        ("sum(sex)", "no order that is known"),
        ("count where sex > m", "no order that is known"),
        ("count where age >", "a value is missing"),
    ] {
        let outcome = folder.run_arguments(&["query", "out.csv", query], &[]);
        assert_eq!(outcome.code, 2, "{query}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(message), "{query}: {}", outcome.stderr);
    }
    assert_eq!(folder.run_arguments(&["query", "nothing.csv", "count"], &[]).code, 5);
}
