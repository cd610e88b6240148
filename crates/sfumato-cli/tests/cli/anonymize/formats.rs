//! Releases have the layout of their input: delimiter, line ends, quotes, types, compression,
//! streams.

use crate::support::{Folder, ROLES, people, sorted_lines};

#[test]
fn delimiter_line_ends_header_and_column_order_stay() {
    let folder = Folder::new();
    folder.write(
        "data.csv",
        "ward;age;name;sex\r\nA;30;Ann;f\r\nB;30;Bob;f\r\nA;41;Cid;m\r\n\
         B;41;Dan;m\r\n",
    );
    folder.succeed("anonymize data.csv -o out.csv --identifier name --qi age,sex --keep ward -k 2");
    let text = folder.text("out.csv");
    assert!(text.starts_with("ward;age;sex\r\n"), "{text}");
    assert_eq!(sorted_lines(&text), ["A;30;f", "A;41;m", "B;30;f", "B;41;m", "ward;age;sex"]);
    assert_eq!(text.matches("\r\n").count(), 5);
}

#[test]
fn the_name_of_a_tsv_is_kept_too() {
    let folder = Folder::new();
    folder.write("data.csv", "age,sex\n30,f\n30,f\n");
    folder.succeed("anonymize data.csv -o out.tsv --qi age,sex -k 2");
    assert_eq!(folder.text("out.tsv"), "age\tsex\n30\tf\n30\tf\n");
}

#[test]
fn quotes_and_line_breaks_in_cells_survive() {
    let folder = Folder::new();
    let notes =
        ["\"a, b\"", "\"she said \"\"no\"\"\"", "\"two\nlines\"", "plain", "\" space \"", "\"\""];
    let rows: String = notes.iter().map(|note| format!("30,{note},f\n")).collect();
    folder.write("data.csv", format!("age,\"a, note\",sex\n{rows}"));
    let arguments = [
        "anonymize",
        "data.csv",
        "-o",
        "out.jsonl",
        "--qi",
        "age,sex",
        "-k",
        "6",
        "--format",
        "csv",
    ];
    // A list is split at commas, so a name with one needs quotes, or a job.
    let outcome = folder.run_arguments(&[&arguments[..], &["--keep", "a, note"]].concat(), &[]);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    let job = "[input]\npath = \"data.csv\"\n[columns]\nage = { role = \"quasi\" }\n\"a, note\" = \
        { role = \"keep\", accept = true }\n\
               sex = { role = \"quasi\" }\n[privacy]\nmodels = [\"k-anonymity(k=6)\"]\n[output]\n\
               path = \
                    \"OUT\"\n";
    folder.write("release.toml", job.replace("OUT", "out.jsonl"));
    folder.succeed("run release.toml");
    let note = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        row["a, note"].as_str().unwrap_or("").to_string()
    };
    let mut published: Vec<String> = folder.text("out.jsonl").lines().map(note).collect();
    published.sort();
    assert_eq!(published, ["", " space ", "a, b", "plain", "she said \"no\"", "two\nlines"]);

    folder.write("release.toml", job.replace("OUT", "out.csv"));
    folder.succeed("run release.toml");
    let text = folder.text("out.csv");
    assert!(text.starts_with("age,\"a, note\",sex\n"), "{text}");
    for field in [
        "30,\"a, b\",f\n",
        "30,\"she said \"\"no\"\"\",f\n",
        "30,\"two\nlines\",f\n",
        "30,plain,f\n",
    ] {
        assert!(text.contains(field), "{field} in {text}");
    }
}

#[test]
fn columnar_files_keep_the_types_of_columns_that_pass() {
    let folder = Folder::new();
    let rows: String = (0..8)
        .map(|i| {
            let paid = if i == 3 { "null".to_string() } else { format!("{}.5", i % 3) };
            format!(
                "{{\"age\":{},\"ward\":{},\"paid\":{paid},\"new\":{},\"note\":\"n{}\"}}\n",
                30 + i / 4,
                i % 2,
                i > 4,
                i % 3
            )
        })
        .collect();
    folder.write("data.jsonl", &rows);
    let roles = "--qi age --keep ward,paid,new,note -k 4 --keep-order";
    for (from, to) in [
        ("data.jsonl", "a.parquet"),
        ("a.parquet", "b.parquet"),
        ("b.parquet", "c.arrow"),
        ("c.arrow", "d.jsonl"),
    ] {
        folder.succeed(&format!("anonymize {from} -o {to} {roles}"));
    }
    // The age was generalized, so it is text by now; all else is as it was: numbers, truth values,
    // nothing.
    let expected =
        rows.replace("\"age\":30", "\"age\":\"30\"").replace("\"age\":31", "\"age\":\"31\"");
    assert_eq!(folder.text("d.jsonl"), expected);
}

#[test]
fn packed_files_are_read_and_written() {
    let folder = Folder::with_people();
    let seeded = |from: &str, to: &str| {
        folder.succeed(&format!(
            "anonymize {from} -o {to} --identifier name --qi age,sex,zip --keep \
             person,disease,pay --accept person -k 2 --keep-order"
        ))
    };
    seeded("people.csv", "plain.csv");
    for packed in ["packed.csv.gz", "packed.csv.zst"] {
        seeded("people.csv", packed);
        let bytes = folder.bytes(packed);
        assert!(
            bytes.starts_with(&[0x1F, 0x8B]) || bytes.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]),
            "{packed}"
        );
        let rest = "--qi age,sex,zip --keep person,disease,pay --accept person,disease,pay -k 1 \
             --keep-order --type age=text --type zip=text";
        folder.succeed(&format!("anonymize {packed} -o again.csv {rest}"));
        assert_eq!(folder.text("again.csv"), folder.text("plain.csv"));
    }
}

#[test]
fn standard_input_and_output() {
    let folder = Folder::new();
    let words = format!("anonymize - -o - {ROLES} -k 2 --seed 7");
    let outcome = folder.run_with_input(&words, people(80).as_bytes());
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert_eq!(outcome.stdout.lines().count(), 81);
    assert!(outcome.stdout.starts_with("age,sex,zip,disease,pay\n"));
    assert!(
        outcome.stderr.starts_with("Holds: every record is published like at least one other."),
        "{}",
        outcome.stderr
    );
    assert!(folder.names().is_empty());
    // The same bytes as from file to file.
    folder.write("people.csv", people(80));
    folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES} -k 2 --seed 7"));
    assert_eq!(folder.text("out.csv"), outcome.stdout);
}

#[test]
fn quiet_says_nothing() {
    let folder = Folder::with_people();
    let outcome = folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES} -k 2 --quiet"));
    assert_eq!((outcome.stdout.as_str(), outcome.stderr.as_str()), ("", ""));
}

#[test]
fn a_failed_run_leaves_the_old_release() {
    let folder = Folder::with_people();
    folder.write("out.csv", "the release of last year\n");
    let outcome = folder.run(&format!("anonymize people.csv -o out.csv {ROLES} -k 1000 --force"));
    assert_eq!(outcome.code, 3);
    assert_eq!(folder.text("out.csv"), "the release of last year\n");
    folder.succeed(&format!("anonymize people.csv -o out.csv {ROLES} -k 3"));
    assert_eq!(folder.text("out.csv").lines().count(), 81);
    assert_eq!(folder.names(), ["out.csv", "people.csv"]);
}
