//! Promises under attack: people and values in several spellings, files that are damaged or
//! endless, outputs that are inputs, escape sequences and formulas in cells, columns that tell
//! together.

use crate::support::Folder;

/// Two classes of three rows. One is one person in three spellings.
const SPELLED_PEOPLE: &str = "id,age,d\n1,30,flu\n1.0,30,cold\n01,30,HIV\n2,40,flu\n3,40,cold\n\
    4,40,HIV\n";

#[test]
fn spellings_of_a_person_are_one_person() {
    let folder = Folder::new();
    folder.write("in.csv", SPELLED_PEOPLE);
    // Two people hide in the table: the three rows of one of them don't make a class of their own.
    for engine in ["", "--memory 64MiB", "--engine tree --memory 64MiB"] {
        let words =
            format!("anonymize in.csv -o o.csv --qi age --sensitive d --subject id {engine}");
        let done = folder.succeed(&format!("{words} -k 3 --algorithm mondrian"));
        assert!(folder.text("o.csv").lines().skip(1).all(|row| row.starts_with("[30..40],")));
        assert!(done.stderr.contains("other spellings of a person"), "{}", done.stderr);
        let refused = folder.run(&format!("{words} -k 5 --force"));
        assert_eq!(refused.code, 3, "{}", refused.stderr);
    }
    // A column of words has as many people as words.
    folder.succeed(
        "anonymize in.csv -o w.csv --qi age --sensitive d --subject id --type id=text -k 3 \
         --algorithm mondrian",
    );
    assert!(folder.text("w.csv").contains("\n30,"), "{}", folder.text("w.csv"));
    for memory in ["", "--memory 64MiB"] {
        let audit = folder.run(&format!("audit in.csv --qi age --subject id -k 3 {memory}"));
        assert!(audit.code == 3 && audit.stdout.contains("achieved 1"), "{}", audit.stdout);
    }
}

#[test]
fn spellings_of_a_sensitive_value_are_one_value() {
    let l = "--model l-diversity-distinct(l=2,on=d)";
    for (one, other) in [("1", "1.0"), ("HIV", "HIV "), ("caf\u{e9}", "cafe\u{301}")] {
        let folder = Folder::new();
        // The 02 makes a text of every number.
        folder.write("in.csv", format!("age,d\n30,{one}\n30,{other}\n40,02\n40,x\n"));
        for engine in ["", "--memory 64MiB", "--engine tree --memory 64MiB"] {
            let words =
                format!("anonymize in.csv -o o.csv --qi age --sensitive d -k 2 {l} {engine}");
            folder.succeed(&words);
            let release = folder.text("o.csv");
            assert!(release.lines().skip(1).all(|row| row.starts_with("[30..40],")), "{release}");
            assert_eq!(release.matches(&format!(",{one}\n")).count(), 2, "{release:?}");
        }
        for memory in ["", "--memory 64MiB"] {
            let audit = folder.run(&format!("audit in.csv --qi age --sensitive d {l} {memory}"));
            assert!(audit.code == 3 && audit.stdout.contains("achieved 1"), "{}", audit.stdout);
        }
    }
    // Case is a choice: without it there is a warning, with it one value.
    let folder = Folder::new();
    folder.write("in.csv", "age,d\n30,HIV\n30,hiv\n40,flu\n40,cold\n");
    // By an algorithm that splits wherever it may.
    let words =
        format!("anonymize in.csv -o o.csv --qi age --sensitive d -k 2 {l} --algorithm mondrian");
    let done = folder.succeed(&words);
    assert!(done.stderr.contains("only by case or space"), "{}", done.stderr);
    assert!(folder.text("o.csv").contains("\n30,"));
    folder.succeed(&format!("{words} --ignore-case d"));
    assert!(!folder.text("o.csv").contains("\n30,"), "{}", folder.text("o.csv"));
    let audit = format!("audit in.csv --qi age --sensitive d {l}");
    assert_eq!(folder.run(&audit).code, 0);
    assert_eq!(folder.run(&format!("{audit} --ignore-case d")).code, 3);
}

#[test]
fn spellings_of_an_id_are_one_basket() {
    let folder = Folder::new();
    folder.write("in.csv", "id,item\n1,a\n1.0,b\n2,a\n2,b\n");
    folder.succeed("anonymize in.csv -o o.csv --baskets long(id=id,item=item) -k 2");
    assert_eq!(folder.text("o.csv").matches(",a\n").count(), 2, "{}", folder.text("o.csv"));
    folder.write("s.csv", "id,item\n1,HIV\n2,HIV \n3,a\n4,a\n");
    let refused = folder
        .run("anonymize s.csv -o p.csv --baskets long(id=id,item=item) --sensitive-items HIV -k 2");
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("in several ways"), "{}", refused.stderr);
}

#[test]
fn damaged_files_end_in_a_sentence() {
    let folder = Folder::new();
    folder.write("in.csv", "a,b\n1,x\n2,y\n3,z\n");
    for ending in ["arrow", "parquet"] {
        let sound = format!("sound.{ending}");
        folder.succeed(&format!("anonymize in.csv -o {sound} --qi a --keep b -k 1 --accept b"));
        let bytes = folder.bytes(&sound);
        for at in (0..bytes.len()).step_by(1 + bytes.len() / 12) {
            let mut damaged = bytes.clone();
            let end = (at + 8).min(damaged.len());
            damaged[at..end].fill(0xFF);
            folder.write(&format!("damaged.{ending}"), damaged);
            let outcome = folder.run(&format!("audit damaged.{ending} --qi a"));
            assert!(matches!(outcome.code, 0 | 2), "{}: {}", outcome.code, outcome.stderr);
            assert!(!outcome.stderr.contains("panicked"), "{}", outcome.stderr);
        }
    }
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let folder = Folder::with_people();
    folder.write("sex.csv", "f;*\nm;*\n");
    let roles =
        "--qi age,sex --identifier name,person,zip,disease,pay -k 2 --hierarchy sex=sex.csv";
    for output in ["-o sex.csv", "-o ./people.csv", "-o o.csv --report sex.csv"] {
        let outcome = folder.run(&format!("anonymize people.csv {output} {roles}"));
        assert_eq!(outcome.code, 2, "{}", outcome.stderr);
        assert_eq!(folder.text("sex.csv"), "f;*\nm;*\n");
    }
    let job = folder.succeed(&format!("anonymize people.csv -o o.csv {roles} --print-job")).stdout;
    folder.write("job.csv", job.replace("o.csv", "job.csv"));
    let outcome = folder.run("run job.csv --force");
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("an output is a file that the job reads"),
        "{}",
        outcome.stderr
    );
    folder.succeed(&format!("anonymize people.csv -o o.csv {roles} --save-recoding r.csv"));
    let saved = folder.text("r.csv");
    assert_eq!(folder.run("apply r.csv people.csv -o r.csv").code, 2);
    assert_eq!(folder.text("r.csv"), saved);
}

#[cfg(target_os = "linux")]
#[test]
fn what_has_no_end_is_refused() {
    let folder = Folder::with_people();
    let roles = "--qi age,sex --identifier name,person,zip,disease,pay -k 2";
    for words in [
        format!("anonymize people.csv -o o.csv {roles} --hierarchy sex=/dev/zero"),
        "run /dev/zero".into(),
        "apply /dev/zero people.csv -o o.csv".into(),
        format!("anonymize /dev/zero -o o.csv {roles}"),
    ] {
        let outcome = folder.run(&words);
        assert_eq!(outcome.code, 2, "{words}: {}", outcome.stderr);
    }
}

#[test]
fn an_audit_says_that_a_manifest_is_of_another_file() {
    let folder = Folder::with_people();
    let roles = "--qi age,sex --identifier name,person,zip,disease,pay";
    folder.succeed(&format!("anonymize people.csv -o o.csv {roles} -k 2"));
    folder.succeed(&format!("anonymize people.csv -o new.csv {roles} -k 9"));
    assert_eq!(folder.run("audit o.csv").code, 0);
    // What a kill between the two renames leaves: the new manifest beside the old release.
    std::fs::rename(folder.path("new.csv.release.json"), folder.path("o.csv.release.json"))
        .unwrap();
    let refused = folder.run("audit o.csv");
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert!(refused.stderr.contains("a run was killed"), "{}", refused.stderr);
    let named = folder.run("audit o.csv --qi age,sex -k 2");
    assert_eq!(named.code, 0, "{}", named.stderr);
    assert!(named.stdout.contains("describes another file"), "{}", named.stdout);
}

#[test]
fn values_are_shown_to_whoever_asks_for_them() {
    let folder = Folder::new();
    folder.write("in.csv", "sex,d\nf,1\nsecret,2\n");
    folder.write("sex.csv", "f;*\n");
    let words =
        "anonymize in.csv -o o.csv --qi sex --keep d --accept d -k 1 --hierarchy sex=sex.csv";
    let outcome = folder.run(words);
    assert_eq!(outcome.code, 2);
    assert!(!outcome.stderr.contains("secret"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("first in row 2"), "{}", outcome.stderr);
    let outcome = folder.run(&format!("{words} --show-values"));
    assert!(outcome.stderr.contains("values: 'secret'"), "{}", outcome.stderr);
}

#[test]
fn escape_sequences_in_names_stay_off_the_terminal() {
    let folder = Folder::new();
    folder.write("in.csv", "\u{1b}[31mage,d\n1,x\n1,y\n");
    for words in ["anonymize in.csv -o o.csv --qi d -k 2", "audit in.csv --qi d,x -k 2"] {
        let outcome = folder.run(words);
        assert_ne!(outcome.code, 0);
        assert!(!outcome.stderr.contains('\u{1b}'), "{:?}", outcome.stderr);
    }
    let audit = folder.run_arguments(&["audit", "in.csv", "--qi", "\u{1b}[31mage"], b"");
    assert_eq!(audit.code, 0, "{}", audit.stderr);
    assert!(!audit.stdout.contains('\u{1b}'), "{:?}", audit.stdout);
}

#[test]
fn formulas_are_guarded_on_demand() {
    let folder = Folder::new();
    folder.write("in.csv", "age,d,n\n30,=cmd,-5\n30,'x,-5\n30,flu,-5\n");
    let words = "anonymize in.csv -o o.csv --qi age --keep d,n --accept d,n -k 3";
    folder.succeed(words);
    assert!(folder.text("o.csv").contains(",=cmd,-5"));
    for engine in ["", "--engine tree --memory 64MiB"] {
        folder.succeed(&format!("{words} --guard-formulas {engine}"));
        let release = folder.text("o.csv");
        for row in ["30,'=cmd,-5", "30,''x,-5", "30,flu,-5"] {
            assert!(release.contains(row), "{release}");
        }
    }
    folder.write("named.csv", "age,=d\n30,1\n30,2\n");
    let refused = folder.run_arguments(
        &[
            "anonymize",
            "named.csv",
            "-o",
            "o.csv",
            "--qi",
            "age",
            "--keep",
            "=d",
            "--accept",
            "=d",
            "-k",
            "2",
            "--guard-formulas",
        ],
        b"",
    );
    assert_eq!(refused.code, 2, "{}", refused.stderr);
}

#[test]
fn columns_that_tell_a_quasi_column_together_are_refused() {
    let folder = Folder::new();
    let row = |i: u32| format!("{},{},{}\n", i * 37 % 80, i * 37 % 80 / 10, i * 37 % 80 % 10);
    folder.write("in.csv", "age,tens,units\n".to_string() + &(0..800).map(row).collect::<String>());
    let words = "anonymize in.csv -o o.csv --qi age --keep tens --sensitive units -k 5";
    let refused = folder.run(words);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("together predict quasi column 'age'"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--accept tens,units"), "{}", refused.stderr);
    folder.succeed(&format!("{words} --accept tens,units"));
}

#[test]
fn models_about_sensitive_values_are_not_served_by_peel_unless_it_is_named() {
    let folder = Folder::with_people();
    folder.write("sex.csv", "f;*\nm;*\n");
    let words = "anonymize people.csv -o o.csv --qi age,sex --identifier name,person,zip,pay \
        --sensitive disease --hierarchy sex=sex.csv --hierarchy age=interval(width=5) -k 2";
    let warns = |text: &str| text.contains("isn't promised against an attacker who knows");
    let counts = folder.succeed(words).stderr;
    assert!(counts.contains("algorithm   peel") && !warns(&counts), "{counts}");
    let l = "--model l-diversity-distinct(l=2,on=disease)";
    let values = folder.succeed(&format!("{words} {l}")).stderr;
    assert!(values.contains("algorithm   veiled-mondrian") && !warns(&values), "{values}");
    for name in ["peel", "mondrian", "full-domain"] {
        let named = folder.succeed(&format!("{words} {l} --algorithm {name}")).stderr;
        assert!(named.contains(&format!("algorithm   {name}")) && warns(&named), "{named}");
        let counts = folder.succeed(&format!("{words} --algorithm {name}")).stderr;
        assert!(!warns(&counts), "{counts}");
    }
    // One class of everybody breaks the bound: only some cuts may hold, and counts don't find them.
    let bound = "--model confidence-bounding(h=0.01,on=disease)";
    let refused = folder.run(&format!("{words} {bound} --force"));
    assert_eq!(refused.code, 3, "{}", refused.stderr);
}

#[test]
fn a_population_table_is_asked_for_by_models_about_it() {
    let folder = Folder::new();
    let person = |i: u32| format!("{},{}\n", 20 + i % 10, ["f", "m"][i as usize % 2]);
    let people: String = (0..60).map(person).collect();
    let data: String = (0..60).step_by(3).map(|i| person(i).replace('\n', ",flu\n")).collect();
    folder.write("people.csv", format!("age,sex\n{people}"));
    folder.write("in.csv", format!("age,sex,ill\n{data}"));
    let columns = "--qi age,sex --sensitive ill";
    let words = format!("anonymize in.csv -o o.csv {columns} --model delta-presence(max=0.5)");
    let refused = folder.run(&words);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("--population-table FILE"), "{}", refused.stderr);
    let done = folder.succeed(&format!("{words} --population-table people.csv")).stderr;
    assert!(done.contains("algorithm   mpalm") && done.contains("delta_max"), "{done}");
    let audit = format!("audit o.csv {columns} --population-table people.csv");
    folder.succeed(&format!("{audit} --model delta-presence(max=0.5)"));
    assert_eq!(folder.run(&format!("{audit} --model delta-presence(max=0.1)")).code, 3);
    assert_eq!(folder.run(&format!("{audit} --model k-map(k=61)")).code, 3);
    let alone = folder.run(&format!("audit o.csv {columns} --model k-map(k=2)"));
    assert_eq!(alone.code, 2, "{}", alone.stderr);
    // The attack on the same release finds nobody outside the bounds.
    folder.succeed(&format!(
        "attack o.csv --original in.csv {columns} --population people.csv --attack \
         delta-presence(max=0.5) --max-rate 0"
    ));
}

#[test]
fn a_tree_with_one_number_in_two_places_is_refused() {
    let folder = Folder::new();
    folder.write("in.csv", "x,d\n1,a\n1.0,b\n2,a\n2,b\n");
    folder.write("x.csv", "1;low;*\n1.0;high;*\n2;high;*\n");
    let words = "anonymize in.csv -o o.csv --qi x --keep d --accept d -k 2 --hierarchy x=x.csv";
    let refused = folder.run(words);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("twice in other forms"), "{}", refused.stderr);
    folder.write("x.csv", "1;low;*\n1.0;low;*\n2;high;*\n");
    folder.succeed(words);
}
