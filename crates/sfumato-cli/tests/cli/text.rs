//! Documents from the command line: detectors, K-safety, notes beside columns, and the loop in
//! which a tagger learns.

use serde_json::Value;

use crate::support::Folder;

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn detectors_write_spans_that_can_be_scored() {
    let folder = Folder::new();
    let notes = "{\"text\":\"Caf\u{e9}: Anna Berg, aged 37, call 212-555-0123\",\"id\":7}\n";
    folder.write("notes.jsonl", notes);
    let outcome = folder.succeed(
        "anonymize notes.jsonl --text field=text --detect default -o out.jsonl --spans \
         spans.jsonl",
    );
    assert!(outcome.stderr.starts_with("No promise:"), "{}", outcome.stderr);
    let expected = "{\"text\":\"Caf\u{e9}: [PERSON], aged [AGE], call [PHONE_NUMBER]\",\"id\":7}\n";
    assert_eq!(folder.text("out.jsonl"), expected);
    let spans = lines(&folder.text("spans.jsonl"));
    let text = "Caf\u{e9}: Anna Berg, aged 37, call 212-555-0123";
    let parts: Vec<(&str, &str)> = spans
        .iter()
        .map(|span| {
            let at = |key: &str| span[key].as_u64().unwrap() as usize;
            assert_eq!(span["document"], 0);
            (span["class"].as_str().unwrap(), &text[at("start")..at("end")])
        })
        .collect();
    let expected = [("PERSON", "Anna Berg"), ("AGE", "37"), ("PHONE_NUMBER", "212-555-0123")];
    assert_eq!(parts, expected);
    // What was found is what there is: detectors score 1 against their own spans.
    let score =
        folder.succeed("text score notes.jsonl --text field=text --tags spans.jsonl --json").stdout;
    let score: Value = serde_json::from_str(&score).unwrap();
    assert_eq!(score["all"]["strict"]["f1"], 1.0, "{score}");
    assert_eq!(score["classes"]["AGE"]["covered"]["share"], 1.0, "{score}");
    assert!(score["all"]["covered"]["low"].as_f64().unwrap() < 0.5, "three parts say little");
}

#[test]
fn documents_of_a_folder_are_made_safe_for_protected_entities() {
    let folder = Folder::new();
    folder.write(
        "e.csv",
        "e1,a b c\ne2,b d e f\ne3,a d g\ne4,a b d g\ne5,c e f\ne6,b g\ne7,a b c e f g\n",
    );
    folder.write("p.txt", "e1\ne2\ne3\n");
    std::fs::create_dir(folder.path("docs")).unwrap();
    folder.write("docs/1.txt", "a b d e f g\n");
    folder.succeed(
        "anonymize docs --text folder --entities e.csv --protected p.txt --model k-safety(k=2) -o \
         out --certificate who.jsonl",
    );
    assert_eq!(folder.text("out/1.txt"), "a [REDACTED] [REDACTED] e f g\n");
    let covers: Vec<u64> = lines(&folder.text("who.jsonl"))
        .iter()
        .map(|line| line["covers"].as_u64().unwrap())
        .collect();
    assert_eq!(covers, [3, 2, 2]);
    let audit = "--entities e.csv --protected p.txt --model k-safety(k=2)";
    folder.succeed(&format!("audit out {audit} --original docs"));
    assert_eq!(folder.run(&format!("audit docs --text folder {audit}")).code, 3);
    let outcome = folder
        .run(&format!("anonymize docs --text folder {} -o none", audit.replace("k=2", "k=7")));
    assert_eq!(outcome.code, 3, "{}", outcome.stderr);
    assert!(!folder.path("none").exists());
}

#[test]
fn a_tagger_learns_from_corrected_tags() {
    let folder = Folder::new();
    let names = ["Zorblax", "Quinzel", "Vathek", "Ilmarin", "Drogba", "Xanthe"];
    let note = |at: usize| format!("Ward {} was visited by keeper {}.", at % 7, names[at % 6]);
    let texts = |from: usize, to: usize| -> String {
        (from..to).map(|at| format!("{{\"text\":\"{}\"}}\n", note(at))).collect()
    };
    folder.write("first.jsonl", texts(0, 60));
    folder.write("next.jsonl", texts(60, 90));
    // Nothing that comes with the program knows these keepers.
    folder
        .succeed("text tag first.jsonl --text field=text --detect patterns -o tags.jsonl --marked");
    let tagged = folder.text("tags.jsonl");
    assert!(!tagged.contains("KEEPER"), "{tagged}");
    // A person corrects the tags.
    let mut corrected = tagged;
    for name in names {
        corrected = corrected.replace(&format!("{name}."), &format!("⟦KEEPER|{name}⟧."));
    }
    folder.write("tags.jsonl", corrected);
    let outcome = folder.succeed(
        "text train first.jsonl --text field=text --tags tags.jsonl -o ward.tagger --seed 1",
    );
    assert!(outcome.stderr.contains("by cross-validation"), "{}", outcome.stderr);
    // It tags the next documents, which are corrected and trained on in their turn.
    folder.succeed(
        "text tag next.jsonl --text field=text --detect patterns,ward.tagger -o more.jsonl \
         --marked",
    );
    let more = folder.text("more.jsonl");
    assert_eq!(more.matches("⟦KEEPER|").count(), 30, "{more}");
    let score = folder.succeed(
        "text score next.jsonl --text field=text --tags more.jsonl --detect ward.tagger --json",
    );
    let score: Value = serde_json::from_str(&score.stdout).unwrap();
    assert_eq!(score["classes"]["KEEPER"]["strict"]["f1"], 1.0);
    let report = folder.report(
        "anonymize next.jsonl --text field=text --detect patterns,ward.tagger -o out.jsonl",
    );
    assert!(!folder.text("out.jsonl").contains("Vathek"));
    let measured = &report["redaction"]["measured"]["KEEPER"];
    assert!(measured["low"].as_f64() < measured["share"].as_f64(), "{measured}");
    // Without parts to hold out nothing is measured, and nothing is said to be.
    let outcome = folder.succeed(
        "text train first.jsonl --text field=text --tags tags.jsonl -o quick.tagger --folds 0",
    );
    assert!(!outcome.stderr.contains("strict"), "{}", outcome.stderr);
}

#[test]
fn columns_and_texts_are_one_release() {
    let folder = Folder::new();
    folder.succeed("generate hospital-notes --rows 150 --seed 1 -o notes.csv");
    let columns = "--qi age,sex,zip,city --sensitive diagnosis";
    folder.succeed(&format!(
        "anonymize notes.csv --text field=note --detect default --identifier patient,name \
         {columns} -k 5 -o release.csv"
    ));
    folder.succeed("audit release.csv -k 5");
    let before =
        folder.run(&format!("audit notes.csv --text field=note --detect default {columns} -k 5"));
    assert_eq!(before.code, 3, "{}", before.stderr);
    let linked = |words: &str| -> f64 {
        let outcome = folder.succeed(&format!("{words} --attack record-linkage --json"));
        let outcome: Value = serde_json::from_str(&outcome.stdout).unwrap();
        outcome["attacks"][0]["rate"].as_f64().unwrap_or_else(|| panic!("{outcome}"))
    };
    let after = linked("attack release.csv --original notes.csv");
    let before = linked(&format!(
        "attack notes.csv --original notes.csv --text field=note --detect default {columns}"
    ));
    assert!(before > 0.9 && after <= 0.2, "{before} {after}");
    let text = folder.text("release.csv");
    assert!(text.contains("-year-old") && text.contains("[PERSON]"), "{text}");
}
