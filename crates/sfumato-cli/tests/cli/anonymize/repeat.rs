//! The same job gives the same bytes for any user and any number of threads. Without a seed nobody
//! can replay a run.

use crate::support::{Folder, ROLES_WITH_SUBJECT, sorted_lines};

#[test]
fn seeds() {
    let folder = Folder::with_people();
    let run = |extra: &str| {
        folder
            .succeed(&format!("anonymize people.csv -o out.csv {ROLES_WITH_SUBJECT} -k 3 {extra}"));
        folder.text("out.csv")
    };
    let (one, again, two) = (run("--seed 1"), run("--seed 1"), run("--seed 2"));
    assert_eq!(one, again);
    assert_ne!(one, two);
    assert_eq!(
        sorted_lines(&one),
        sorted_lines(&two),
        "the seed changes the order and nothing else"
    );
    let (free, other, kept) = (run(""), run(""), run("--keep-order"));
    assert_ne!(free, other, "rows are shuffled anew each time");
    assert_ne!(free, kept);
    assert_eq!(sorted_lines(&free), sorted_lines(&kept));
    assert_eq!(run("--seed 1 --threads 1"), one);
    assert_eq!(run("--seed 1 --threads 2"), one);
    assert_eq!(run("--seed 1 --threads 7"), one);
}

#[test]
fn parquet_is_repeatable_too() {
    let folder = Folder::with_people();
    for (name, threads) in [("a.parquet", 1), ("b.parquet", 2)] {
        folder.succeed(&format!(
            "anonymize people.csv -o {name} {ROLES_WITH_SUBJECT} -k 3 --seed 5 --threads {threads}"
        ));
    }
    assert_eq!(folder.bytes("a.parquet"), folder.bytes("b.parquet"));
}

#[test]
fn keeping_the_order_keeps_it() {
    let folder = Folder::new();
    folder.write("data.csv", "age,ward\n30,C\n30,A\n30,B\n30,D\n");
    let report = folder.report(
        "anonymize data.csv -o out.csv --qi age --keep ward --accept ward -k 4 --keep-order",
    );
    assert_eq!(folder.text("out.csv"), "age,ward\n30,C\n30,A\n30,B\n30,D\n");
    assert!(report["warnings"].to_string().contains("rows are in the order of the input"));
}

#[test]
fn the_job_that_flags_stand_for() {
    let folder = Folder::with_people();
    folder.write("sex.csv", "f;person;*\nm;person;*\n");
    let flags = format!(
        "anonymize people.csv {ROLES_WITH_SUBJECT} -k 3 --model \
            l-diversity-distinct(l=2,on=disease) --seed 11 \
         --hierarchy age=interval(width=5,levels=3) --hierarchy zip=mask(from=right) --hierarchy \
         sex=sex.csv \
         --weight zip=2.5 --max-suppression 5% --missing NA --suppress-missing sex --accept pay \
         --type zip=text \
         --algorithm mondrian --metric loss -o out.csv"
    );
    let printed = folder.succeed(&format!("{flags} --print-job"));
    assert_eq!(printed.stderr, "");
    assert_eq!(folder.names(), ["people.csv", "sex.csv"], "printing a job runs nothing");
    folder.write("release.toml", &printed.stdout);
    folder.succeed(&flags);
    let by_flags = folder.bytes("out.csv");
    std::fs::remove_file(folder.path("out.csv")).unwrap();
    folder.succeed("run release.toml");
    assert_eq!(folder.bytes("out.csv"), by_flags);
    let explained = folder.succeed("explain release.toml").stdout;
    for part in [
        "people.csv: 80 rows",
        "name (identifier): dropped",
        "interval(levels=3, width=5)",
        "k-anonymity(k=3)",
        "at most 4 records",
    ] {
        assert!(explained.contains(part), "{part} in {explained}");
    }
}

#[test]
fn a_job_speaks_of_its_own_folder() {
    let folder = Folder::with_people();
    std::fs::create_dir(folder.path("jobs")).unwrap();
    std::fs::rename(folder.path("people.csv"), folder.path("jobs/people.csv")).unwrap();
    let printed = folder.succeed(&format!(
        "anonymize people.csv {ROLES_WITH_SUBJECT} -k 3 -o out.csv --report report.json --print-job"
    ));
    folder.write("jobs/release.toml", printed.stdout);
    let outcome = folder.succeed("run jobs/release.toml");
    assert_eq!(folder.names(), ["jobs"], "paths of a job start from its folder");
    assert!(folder.path("jobs/out.csv").exists() && folder.path("jobs/report.json").exists());
    // The lines that the user reads, and the command to copy, start from where the user is.
    assert!(outcome.stderr.contains("jobs/people.csv: 80 records"), "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("sfumato audit jobs/out.csv --original jobs/people.csv"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn the_command_that_a_summary_ends_with_holds() {
    let folder = Folder::with_people();
    let outcome = folder.succeed(
        "anonymize people.csv -o out.csv --identifier name,person --qi \
         age,sex,zip --sensitive disease --keep pay -k 3 --model \
         l-diversity-distinct(l=2,on=disease)",
    );
    let line = outcome.stderr.lines().find(|line| line.contains("sfumato audit")).unwrap();
    let command = line.split_once("sfumato ").unwrap().1.replace('\'', "").replace(", ", ",");
    let audit = folder.succeed(&command);
    assert!(
        audit.stdout.contains("k-anonymity k at least 3") && !audit.stdout.contains("NOT HOLD"),
        "{}",
        audit.stdout
    );
}
