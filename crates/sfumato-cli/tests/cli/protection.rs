//! What a release must never do. Each test shows a way in which a release once did it, or could
//! have.

use crate::support::Folder;

/// `n` rows of a made-up column, a line each.
fn lines(header: &str, n: usize, line: impl Fn(usize) -> String) -> String {
    let rows: String = (0..n).map(|i| line(i) + "\n").collect();
    format!("{header}\n{rows}")
}

#[test]
fn the_input_is_never_overwritten_whatever_its_name() {
    let folder = Folder::new();
    let data = lines("age,ward", 30, |i| format!("{},{}", 20 + i / 5, ["a", "b", "c"][i % 3]));
    folder.write("in.csv", &data);
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.path("in.csv"), folder.path("link.csv")).unwrap();
    let full = folder.path("in.csv").display().to_string();
    for output in ["in.csv", "./in.csv", "link.csv", full.as_str()] {
        let outcome =
            folder.run(&format!("anonymize in.csv -o {output} --qi age --sensitive ward -k 3"));
        assert_eq!(outcome.code, 2, "{output}: {}", outcome.stderr);
        assert_eq!(folder.text("in.csv"), data, "{output}");
    }
    let twice = folder.run(
        "anonymize in.csv -o o.csv --qi age --sensitive ward -k 3 --report r.json --public-report \
            ./r.json",
    );
    assert_eq!(twice.code, 2, "{}", twice.stderr);
}

#[test]
fn a_file_without_a_header_doesnt_publish_its_first_record() {
    let folder = Folder::new();
    folder
        .write("in.csv", "Georg,1934-08-06,male\nAnna,1935-01-02,female\nEva,1936-01-02,female\n");
    let outcome = folder.run("init in.csv");
    assert_eq!(outcome.code, 2);
    assert_eq!(
        outcome.stderr,
        "error: in.csv:1: the first line looks like data, not like column names: field 2 is of the \
            kind date\n\
         hint: say --header no if the file has no header, or --header yes if these are its names\n"
    );
    let words =
        "anonymize in.csv -o o.csv --header no --identifier column_1 --qi column_2,column_3 -k 3";
    let report = folder.report(words);
    assert_eq!(report["input"]["rows"], 3);
    assert!(folder.text("o.csv").starts_with("column_2,column_3\n"));
}

#[test]
fn texts_that_differ_are_not_made_one_sensitive_value() {
    let folder = Folder::new();
    folder.write(
        "in.csv",
        lines("age,code", 30, |i| format!("{},1234567890123456789012{}", i / 10, i % 10)),
    );
    folder.succeed("anonymize in.csv -o o.csv --qi age --sensitive code -k 5");
    for i in 0..10 {
        assert!(folder.text("o.csv").contains(&format!("1234567890123456789012{i}\n")), "{i}");
    }
    // The same number in two spellings is one value, and the report says so.
    folder.write(
        "in.csv",
        lines("age,cost", 30, |i| format!("{},{}", i / 10, ["1.5", "1.50", "2"][i % 3])),
    );
    let report = folder.report("anonymize in.csv -o p.csv --qi age --sensitive cost -k 5");
    assert!(
        report["warnings"]
            .to_string()
            .contains("1 values of column 'cost' were written in several ways"),
        "{report}"
    );
}

#[test]
fn a_missing_value_is_not_published_as_a_root_that_means_something() {
    let folder = Folder::new();
    folder.write("h.csv", "a;land\nb;land\n");
    folder.write("in.csv", lines("place,ward", 9, |i| format!("{},w", ["a", "b", ""][i % 3])));
    folder.succeed("anonymize in.csv -o o.csv --qi place --keep ward -k 9 --hierarchy place=h.csv");
    assert!(
        folder.text("o.csv").lines().skip(1).all(|line| line == "*,w"),
        "{}",
        folder.text("o.csv")
    );
}

#[test]
fn an_audit_tells_apart_what_a_reader_can() {
    let folder = Folder::new();
    folder.write("in.jsonl", "{\"a\":null}\n{\"a\":null}\n{\"a\":null}\n{\"a\":\"\"}\n");
    let outcome = folder.run("audit in.jsonl --qi a -k 4");
    assert_eq!(outcome.code, 3, "{}", outcome.stdout);
    folder.write("in.csv", "a,b\nNA,1\n,1\n?,1\n");
    assert_eq!(folder.run("audit in.csv --qi a,b --missing NA --missing ? -k 3").code, 3);
}

#[test]
fn few_rows_don_t_switch_the_look_at_kept_columns_off() {
    let folder = Folder::new();
    folder.write("in.csv", lines("age,name", 19, |i| format!("{},Person{i}", i % 4)));
    let outcome = folder.run("anonymize in.csv -o o.csv --qi age --keep name -k 3");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("column 'name' is published as it is and is nearly unique"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn classes_that_look_alike_are_judged_together() {
    let folder = Folder::new();
    folder.write("h.csv", "a;other;L;*\nb;other;L;*\nc;other;R;*\nd;other;R;*\n");
    folder.write("in.csv", "x,s\na,15\na,1000\nb,2000\nb,3000\nc,0\nc,30\nd,5000\nd,6000\n");
    let outcome = folder.run_arguments(
        &[
            "anonymize",
            "in.csv",
            "-o",
            "o.csv",
            "--qi",
            "x",
            "--sensitive",
            "s",
            "--accept",
            "s",
            "-k",
            "3",
            "--hierarchy",
            "x=h.csv",
            "--model",
            "eps-m-anonymity(eps=20,m=4,on=s)",
        ],
        &[],
    );
    assert!(outcome.code == 3 || outcome.code == 0, "{}: {}", outcome.code, outcome.stderr);
    assert_eq!(folder.path("o.csv").exists(), outcome.code == 0);
}

#[test]
fn the_release_and_the_private_report_never_share_a_stream() {
    let folder = Folder::with_people();
    folder.write(
        "job.toml",
        "[input]\npath = \"in.csv\"\n[columns]\nage = { role = \"quasi\" }\n[privacy]\nmodels = \
            [\"k-anonymity(k=2)\"]\n\
         [output]\npath = \"-\"\n",
    );
    folder.write("in.csv", "age\n1\n1\n2\n2\n");
    let outcome = folder.run("run job.toml --json");
    assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""));
    assert!(
        outcome.stderr.contains("--json and -o - both want standard output"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_sensitive_column_that_no_model_guards_is_named() {
    let folder = Folder::new();
    folder.write(
        "in.csv",
        lines("age,ward", 40, |i| format!("{},{}", 20 + i / 5, ["a", "b", "c"][i % 3])),
    );
    let report = folder.report("anonymize in.csv -o o.csv --qi age --sensitive ward -k 3");
    assert!(
        report["warnings"].to_string().contains("no model guards sensitive column 'ward'"),
        "{report}"
    );
    let report = folder.report(
        "anonymize in.csv -o p.csv --qi age --sensitive ward -k 3 --model \
            l-diversity-distinct(l=2)",
    );
    assert!(!report["warnings"].to_string().contains("no model guards"), "{report}");
}
