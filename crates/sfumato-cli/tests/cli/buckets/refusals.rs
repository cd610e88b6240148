//! What bucket releases refuse. Nothing may be left behind then.

use super::ROLES;
use crate::support::Folder;

fn refused(words: &str, code: i32, said: &str) {
    let folder = Folder::with_people();
    let outcome = folder.run(words);
    assert_eq!(outcome.code, code, "{words}\n{}", outcome.stderr);
    assert!(outcome.stderr.contains(said), "{words}\n{}", outcome.stderr);
    assert_eq!(folder.names(), ["people.csv"], "{words}");
}

#[test]
fn a_value_that_is_too_frequent_ends_with_3() {
    let words = format!(
        "anonymize people.csv -o out {ROLES} --algorithm anatomize --model \
            l-diversity-distinct(l=5)"
    );
    refused(
        &words,
        3,
        "too frequent for l = 5: in column 'disease' each may be in at most 16 of 80 records",
    );
    let words = "anonymize people.csv -o out --identifier name,person --qi age,sex,zip --keep \
        disease --sensitive pay --algorithm ke-permutation \
                 --model k-e-anonymity(k=2,e=99999)";
    refused(words, 3, "over a range of 99999");
}

#[test]
fn models_that_promise_nothing_are_refused() {
    let words = format!("anonymize people.csv -o out {ROLES} --algorithm anatomize -k 5");
    refused(
        &words,
        2,
        "k-anonymity promises nothing about buckets: quasi values are published as they are",
    );
    let words = format!(
        "anonymize people.csv -o out {ROLES} --buckets linked --model \
            lkc-privacy(l=2,k=2,c=0.9,on=disease)"
    );
    refused(&words, 2, "lkc-privacy");
    let words = "anonymize people.csv -o out --identifier name,person,pay,disease --qi age,sex,zip \
        --buckets linked -k 2";
    refused(words, 2, "needs a sensitive column");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let of = |more: &str| {
        format!(
            "anonymize people.csv {ROLES} --algorithm anatomize --model l-diversity-distinct(l=2) \
                {more}"
        )
    };
    refused(&of("-o out.csv"), 2, "linked tables are a folder, and this is the name of a file");
    refused(&of("-o -"), 2, "a folder of several files, and can't go to standard output");
    refused(&of("-o out --save-recoding r.json"), 2, "has no recoding to save");
    refused(&of("-o out --memory 64MiB"), 2, "needs all records in memory at once");
    refused(&of("-o out --table-format xls"), 2, "unknown format 'xls'");
    refused(&of("-o out.csv --buckets permuted --table-format csv"), 2, "told by its name");
    refused(&of("-o no/out"), 5, "isn't there");
    refused(&of("-o out --group-column age"), 2, "the table has a column 'age'");
    refused(&of("-o people.csv/out"), 5, "");
}

#[test]
fn a_column_of_that_name_needs_another() {
    let folder = Folder::new();
    folder.write("data.csv", "group,age,disease\na,1,x\nb,2,y\na,3,x\nb,4,y\n");
    let words = "anonymize data.csv -o out --qi group,age --sensitive disease --algorithm \
        anatomize --model l-diversity-distinct(l=2)";
    let outcome = folder.run(words);
    assert_eq!(outcome.code, 2);
    assert!(outcome.stderr.contains("the table has a column 'group'"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("--group-column NAME"), "{}", outcome.stderr);
    folder.succeed(&format!("{words} --group-column bucket"));
    assert!(folder.text("out/quasi.csv").starts_with("group,age,bucket\n"));
    folder.succeed("audit out --model l-diversity-distinct(l=2)");
}

#[test]
fn nobodys_folder_is_replaced() {
    let folder = Folder::with_people();
    std::fs::create_dir(folder.path("out")).unwrap();
    folder.write("out/notes.txt", "mine");
    let words = format!(
        "anonymize people.csv -o out {ROLES} --algorithm anatomize --model \
            l-diversity-distinct(l=2)"
    );
    let outcome = folder.run(&words);
    assert_eq!(outcome.code, 5, "{}", outcome.stderr);
    assert!(
        outcome.stderr.contains("this folder isn't empty, and it is no earlier release"),
        "{}",
        outcome.stderr
    );
    assert_eq!(folder.text("out/notes.txt"), "mine");
    std::fs::remove_file(folder.path("out/notes.txt")).unwrap();
    folder.succeed(&words);
    folder.succeed(&words);
    // A run that fails leaves the release that is there.
    let before = folder.text("out/quasi.csv");
    assert_eq!(folder.run(&(words.replace("l=2", "l=9") + " --force")).code, 3);
    assert_eq!(folder.text("out/quasi.csv"), before);
    assert_eq!(folder.names(), ["out", "people.csv"]);
}

#[test]
fn studies_want_algorithms_that_generalize() {
    let said = "publishes quasi values as they are, in buckets: it generalizes nothing";
    refused(
        "evaluate people.csv --identifier name,person,pay,disease --qi age,sex,zip --algorithm \
            anatomize -k 2",
        2,
        said,
    );
}
