//! `sfumato hierarchy build`, `check` and `show`.

use crate::support::Folder;

fn ages() -> Folder {
    let folder = Folder::new();
    folder.write("data.csv", "age,job\n20,cook\n21,cook\n40,clerk\n,clerk\n20,\n");
    folder
}

#[test]
fn what_is_built_is_a_hierarchy_file() {
    let folder = ages();
    let how = "hierarchy build data.csv --column age interval(width=10,levels=2)";
    let built = folder.succeed(how).stdout;
    assert_eq!(built, "20;[20..29];[20..39];*\n21;[20..29];[20..39];*\n40;[40..49];[40..59];*\n");
    let outcome = folder.succeed(&format!("{how} -o age.csv"));
    assert_eq!(outcome.stderr, "wrote age.csv: 3 values, 4 levels\n");
    assert_eq!(folder.text("age.csv"), built);
    let streamed = folder.succeed(&format!("{how} -o -"));
    assert_eq!(
        (streamed.stdout.as_str(), streamed.stderr.as_str()),
        (built.as_str(), ""),
        "- is standard output"
    );
    assert_eq!(folder.names(), ["age.csv", "data.csv"]);
    // And it can be used as one.
    folder.succeed(
        "anonymize data.csv -o out.csv --qi age --identifier job -k 5 --hierarchy age=age.csv",
    );
}

#[test]
fn a_good_file_is_fine() {
    let folder = ages();
    folder.write("job.csv", "cook;trade;*\nbaker;trade;*\nclerk;office;*\ntypist;office;*\n");
    let outcome = folder.succeed("hierarchy check job.csv --data data.csv --column job");
    assert_eq!(
        outcome.stderr,
        "every value of column 'job' is covered\njob.csv: 4 values, 3 levels, 7 nodes: fine\n"
    );
    assert_eq!(outcome.stdout, "");
}

#[test]
fn a_strange_file_is_noted() {
    let folder = ages();
    folder.write("job.csv", "cook;trade\nbaker;trade\nclerk;office\ntypist;office\n");
    let outcome = folder.succeed("hierarchy check job.csv");
    assert!(
        outcome
            .stderr
            .starts_with("note: the last level has 2 labels; a root '*' is added above it\n"),
        "{}",
        outcome.stderr
    );
    assert!(
        outcome.stderr.ends_with("job.csv: 4 values, 3 levels, 7 nodes: fine\n"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn a_file_is_drawn_as_a_tree() {
    let folder = Folder::new();
    folder.write("job.csv", "cook;trade;*\nbaker;trade;*\nclerk;office;*\n");
    assert_eq!(
        folder.succeed("hierarchy show job.csv").stdout,
        "* (3)\n├── trade (2)\n│   ├── cook\n│   └── baker\n└── office (1)\n    └── clerk\n"
    );
    let short = folder.succeed("hierarchy show job.csv --lines 3").stdout;
    assert_eq!(short.lines().count(), 3, "{short}");
}

#[test]
fn a_tree_of_tables_is_a_hierarchy_too() {
    let folder = ages();
    folder.write("job.json", r#"{"trade": ["cook", "baker"], "office": ["clerk"]}"#);
    folder.succeed("hierarchy check job.json --data data.csv --column job");
    folder.write("job.toml", "trade = [\"cook\", \"baker\"]\noffice = [\"clerk\"]\n");
    assert_eq!(
        folder.succeed("hierarchy show job.toml").stdout,
        folder.succeed("hierarchy show job.json").stdout
    );
}

#[test]
fn what_a_recoding_publishes_is_marked_in_its_trees() {
    let folder = Folder::new();
    folder.write("job.csv", "cook;trade;*\nbaker;trade;*\nclerk;office;*\ntypist;office;*\n");
    folder
        .write("data.csv", "age,job\n20,cook\n21,cook\n22,baker\n40,clerk\n41,clerk\n42,typist\n");
    folder.succeed(
        "anonymize data.csv -o out.csv --qi age,job -k 3 --hierarchy job=job.csv --algorithm \
            mondrian --save-recoding \
         recoding.json",
    );
    let shown = folder.succeed("hierarchy show --recoding recoding.json").stdout;
    assert_eq!(
        shown,
        "age: 2 published values\n[20..22] [40..42]\n\njob: 2 published values\n* (4)\n├── ● trade \
            (2)\n│   ├── cook\n│   └── baker\n\
         └── ● office (2)\n    ├── clerk\n    └── typist\n"
    );
    // What lies below the marks goes first when the lines don't suffice.
    let short =
        folder.succeed("hierarchy show --recoding recoding.json --column job --lines 3").stdout;
    assert_eq!(short, "job: 2 published values\n* (4)\n├── ● trade (2)\n└── ● office (2)\n");
    let outcome = folder.run("hierarchy show --recoding recoding.json --column sex");
    assert_eq!(outcome.code, 2);
    assert!(
        outcome.stderr.contains("the recoding has no quasi column 'sex'"),
        "{}",
        outcome.stderr
    );
    for words in ["", "job.csv --recoding recoding.json", "job.csv --column job"] {
        assert_eq!(folder.run(&format!("hierarchy show {words}")).code, 2, "{words}");
    }
    folder.succeed(
        "anonymize data.csv -o out.csv --qi age,job -k 3 --hierarchy job=job.csv --hierarchy \
            age=interval(width=10,levels=2) \
         --algorithm full-domain --save-recoding cuts.json",
    );
    let shown = folder.succeed("hierarchy show --recoding cuts.json --column job --lines 3").stdout;
    assert_eq!(
        shown,
        "job: 2 published values, level 1 of 2; missing stays missing\n* (4)\n├── ● trade (2)\n└── \
            ● office (2)\n"
    );
}
