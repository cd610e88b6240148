//! Baskets: `sfumato anonymize --baskets`, `explain` and `audit` of them, in every layout.

use serde_json::Value;

use crate::support::Folder;

/// Twelve records in three kinds, and what their items are worth.
const LINES: &str = "1 2 3\n1 2 3\n1 2 4\n1 2 4\n1 2\n5 6\n5 6 7\n5 6\n5 6 8\n5 7\n9\n\n";
const WORTH: &str = "item,utility\n1,5\n2,1\n3,2\n4,2\n5,1\n6,4\n7,1\n8,9\n9,1\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("baskets.dat", LINES);
    folder.write("worth.csv", WORTH);
    folder
}

fn sets(text: &str) -> Vec<Vec<String>> {
    let mut all: Vec<Vec<String>> =
        text.lines().map(|line| line.split_whitespace().map(String::from).collect()).collect();
    all.sort();
    all
}

/// Assert that every published set occurs k times, and that each published record can be matched
/// with an original that contains it.
fn assert_k_anonymous(published: &[Vec<String>], k: usize) {
    for set in published {
        let copies = published.iter().filter(|other| *other == set).count();
        assert!(copies >= k, "{set:?} is there {copies} times");
    }
}

#[test]
fn lines_are_published_verified_and_audited() {
    let folder = folder();
    let outcome = folder.succeed(
        "anonymize baskets.dat --baskets lines -k 2 --utilities worth.csv -o out.dat --seed 1 \
            --json --report private.html --public-report public.html",
    );
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(
        (&report["guarantees"][0]["holds"], &report["input"]["rows"]),
        (&true.into(), &12.into())
    );
    assert_eq!(report["evidence"], "checked-against-original");
    let published = sets(&folder.text("out.dat"));
    assert_eq!(published.len(), 12);
    assert_k_anonymous(&published, 2);
    // What was suppressed is counted per item.
    let items = report["baskets"]["by_item"].as_array().unwrap();
    for item in items {
        let name = item["name"].as_str().unwrap();
        let has = |set: &&Vec<String>| set.iter().any(|other| other == name);
        assert_eq!(item["published"], published.iter().filter(has).count());
        assert_eq!(item["instances"], sets(LINES).iter().filter(has).count());
    }
    let emptied = published.iter().filter(|set| set.is_empty()).count() - 1;
    assert_eq!(report["suppressed"]["records"], emptied);
    assert!(folder.text("private.html").contains("Items that lost most"));
    let public = folder.text("public.html");
    assert!(
        public.contains("sfumato audit FILE --baskets lines --model &#39;k-anonymity(k=2)&#39;")
            && public.contains("Kept by metric"),
        "{public}"
    );
    let audited = folder.succeed(
        "audit out.dat --baskets lines --original baskets.dat -k 2 --model kk-anonymity(k=2)",
    );
    assert!(audited.stdout.contains("required   k-anonymity k at least 2"), "{}", audited.stdout);
    assert!(audited.stdout.ends_with("achieved 2: holds\n"), "{}", audited.stdout);
}

#[test]
fn a_seed_repeats_and_threads_change_nothing() {
    let folder = folder();
    for (out, threads) in [("a.dat", 1), ("b.dat", 3)] {
        folder.succeed(&format!(
            "anonymize baskets.dat --baskets lines -k 3 -o {out} --seed 5 --threads {threads}"
        ));
    }
    assert_eq!(folder.text("a.dat"), folder.text("b.dat"));
}

#[test]
fn k1_is_for_sets_that_are_handed_out_one_at_a_time() {
    let folder = folder();
    let outcome = folder.succeed(
        "anonymize baskets.dat --baskets lines --model k1-anonymity(k=3) -o out.dat --seed 1 \
            --json",
    );
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(report["algorithm"], "k1-top-down");
    let originals = sets(LINES);
    for set in sets(&folder.text("out.dat")) {
        let supporters =
            originals.iter().filter(|record| set.iter().all(|item| record.contains(item))).count();
        assert!(supporters >= 3, "{set:?} has {supporters}");
    }
    assert!(report["warnings"].to_string().contains("handed out one at a time"));
    folder
        .succeed("audit out.dat --baskets lines --original baskets.dat --model k1-anonymity(k=3)");
    let refused =
        folder.run("anonymize baskets.dat --baskets lines -k 3 --algorithm k1-top-down -o no.dat");
    assert_eq!((refused.code, folder.path("no.dat").exists()), (2, false));
}

#[test]
fn every_form_is_read_written_and_read_again() {
    let folder = Folder::new();
    folder.write("names.csv", "bread,milk\nbread,milk,salt\nmilk\nmilk\nbread,milk\n");
    folder.write("long.csv", "who,what,when\na,x,1\na,y,1\nb,x,2\nb,y,2\nc,x,3\nd,x,4\nd,z,4\n");
    folder
        .write("table.csv", "id,sex,age,owner\n1,f,23,1\n2,f,24,1\n3,m,41,0\n4,m,43,0\n5,f,22,0\n");
    let forms = [
        ("names.csv", "lines(separator=comma)", "lines(separator=comma)"),
        ("long.csv", "long(id=who,item=what,drop=[when])", "long(id=who,item=what)"),
        (
            "table.csv",
            "table(categories=[sex],buckets=[age:10],flags=[owner],key=id)",
            "table(categories=[sex,age],flags=[owner])",
        ),
    ];
    for (input, form, released) in forms {
        folder.succeed(&format!("anonymize {input} --baskets {form} -k 2 -o out.csv --seed 1"));
        let audited = folder.succeed(&format!(
            "audit out.csv --baskets {released} --original {input} --original-baskets {form} -k 2 \
                --model k1-anonymity(k=2)"
        ));
        assert!(audited.stdout.contains("holds"), "{}", audited.stdout);
    }
    let table = folder.text("out.csv");
    assert!(table.starts_with("sex,age,owner\n") && table.contains("[20, 30)"), "{table}");
    assert!(!table.contains("23"), "{table}");
}

#[test]
fn sensitive_items_stay_and_dropped_ones_go() {
    let folder = folder();
    folder.succeed(
        "anonymize baskets.dat --baskets lines -k 2 -o out.dat --seed 1 \
        --sensitive-items 8,3 --drop-items 7,9",
    );
    let published = sets(&folder.text("out.dat"));
    let with =
        |item: &str| published.iter().filter(|set| set.iter().any(|other| other == item)).count();
    assert_eq!((with("8"), with("3"), with("7"), with("9")), (1, 2, 0, 0));
    let quasi: Vec<Vec<String>> = published
        .iter()
        .map(|set| set.iter().filter(|item| *item != "8" && *item != "3").cloned().collect())
        .collect();
    assert_k_anonymous(&quasi, 2);
    folder.succeed("audit out.dat --baskets lines -k 2 --sensitive-items 8,3");
}

#[test]
fn what_another_tool_got_wrong_is_found() {
    let folder = folder();
    folder.write("bad.dat", "1 2\n1 2\n5 6\n5 6 7\n5 6 7\n");
    let outcome = folder.run("audit bad.dat --baskets lines --original baskets.dat -k 2");
    assert_eq!(outcome.code, 3);
    assert!(outcome.stdout.contains("achieved 1: DOES NOT HOLD"), "{}", outcome.stdout);
    let linked = folder
        .run("audit bad.dat --baskets lines --original baskets.dat --model k1-anonymity(k=2)");
    assert_eq!(linked.code, 3, "only one record has 5, 6 and 7: {}", linked.stdout);
    folder.write("strange.dat", "77\n77\n");
    let words = "audit strange.dat --baskets lines --original baskets.dat -k 2";
    assert!(!folder.run(words).stderr.contains("77"), "values are for whoever asks for them");
    let strange = folder.run(&format!("{words} --show-values"));
    assert_eq!(strange.code, 2);
    assert!(strange.stderr.contains("values: '77'"), "{}", strange.stderr);
    assert!(
        strange.stderr.contains("an item is in no record of the original"),
        "{}",
        strange.stderr
    );
}

#[test]
fn bad_input_is_told_and_nothing_is_written() {
    let folder = folder();
    folder.write("empty.dat", "");
    folder.write("half.csv", "item,utility\n1,5\n");
    folder.write("debt.csv", WORTH.replace("9,1", "9,-1"));
    let cases = [
        ("anonymize baskets.dat --baskets lines -k 13 -o out.dat", 3, "there are 12 records"),
        ("anonymize empty.dat --baskets lines -k 2 -o out.dat", 2, "no records"),
        ("anonymize baskets.dat --baskets line -k 2 -o out.dat", 2, "did you mean lines"),
        ("anonymize baskets.dat --baskets lines -o out.dat", 2, "no privacy model"),
        (
            "anonymize baskets.dat --baskets lines --model t-closeness(t=0.1) -o out.dat",
            2,
            "model for tables",
        ),
        (
            "anonymize baskets.dat --baskets lines -k 2 --algorithm peel -o out.dat",
            2,
            "algorithm for tables",
        ),
        (
            "anonymize baskets.dat --baskets lines -k 2 --qi a -o out.dat",
            2,
            "beside columns, items are in a cell",
        ),
        (
            "anonymize baskets.dat --baskets lines -k 2 --memory 1GiB -o out.dat",
            2,
            "needs all records in memory at once",
        ),
        (
            "anonymize baskets.dat --baskets lines -k 2 --utilities half.csv -o out.dat",
            2,
            "half.csv",
        ),
        (
            "anonymize baskets.dat --baskets lines -k 2 --utilities debt.csv -o out.dat",
            2,
            "debt.csv:10",
        ),
        (
            "anonymize baskets.dat --baskets lines -k 2 --sensitive-items x -o out.dat",
            2,
            "no record has the item 'x'",
        ),
        (
            "anonymize baskets.dat --baskets lines -k 5 --max-suppression 0 -o out.dat",
            3,
            "may be suppressed",
        ),
        ("anonymize baskets.dat --baskets lines -k 2 -o nowhere/out.dat", 5, "isn't there"),
        ("anonymize baskets.dat --baskets lines -k 2 -o baskets.dat", 2, "never overwritten"),
        ("anonymize gone.dat --baskets lines -k 2 -o out.dat", 5, "gone.dat"),
        ("anonymize worth.csv --baskets long(id=a,item=item) -k 2 -o out.csv", 2, "'a'"),
    ];
    for (command, code, says) in cases {
        let outcome = folder.run(command);
        assert_eq!(outcome.code, code, "{command}: {}", outcome.stderr);
        assert!(outcome.stderr.contains(says), "{command}: {}", outcome.stderr);
        assert!(!folder.path("out.dat").exists() && !folder.path("out.csv").exists(), "{command}");
    }
}

#[test]
fn a_release_toml_says_the_same() {
    let folder = folder();
    let job = folder.succeed(
        "anonymize baskets.dat --baskets lines -k 2 --utilities worth.csv -o out.dat --seed 1 \
            --print-job",
    );
    folder.write("release.toml", &job.stdout);
    assert!(
        job.stdout.contains("[baskets]\nlayout = \"lines\"\nutilities = \"worth.csv\"\n"),
        "{}",
        job.stdout
    );
    let plan = folder.succeed("explain release.toml");
    assert!(plan.stdout.contains("12 records, 9 different items"), "{}", plan.stdout);
    assert!(!folder.path("out.dat").exists());
    folder.succeed("run release.toml");
    assert_k_anonymous(&sets(&folder.text("out.dat")), 2);
    let refused = folder.run("evaluate release.toml");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("this command is for tables"), "{}", refused.stderr);
}

#[test]
fn baskets_beside_columns_are_one_requirement() {
    let folder = Folder::new();
    let mut rows = String::from("age,sex,codes\n");
    for i in 0..60 {
        let more = if i % 7 == 0 { ";rare" } else { "" };
        rows += &format!("{},{},a{};b{}{more}\n", 30 + i % 20, ["f", "m"][i % 2], i % 3, i % 4);
    }
    folder.write("people.csv", rows);
    let data = "--qi age,sex --baskets list(column=codes)";
    let model = "--model km-anonymity(k=3,m=2)";
    let fails = folder.run(&format!("audit people.csv {data} {model}"));
    assert_eq!(fails.code, 3, "{}", fails.stdout);
    assert!(fails.stdout.contains("fails      km-anonymity(k=3, m=2)"), "{}", fails.stdout);
    let plan = folder.succeed(&format!("explain people.csv {data} {model} -o out.csv"));
    assert!(plan.stdout.contains("class-merging"), "{}", plan.stdout);
    folder.succeed(&format!("anonymize people.csv {data} {model} -o out.csv --seed 1"));
    // The manifest says what columns are and where the items are.
    let holds = folder.succeed(&format!("audit out.csv {model}"));
    assert!(holds.stdout.contains("achieved 3: holds") || holds.stdout.contains(": holds"));
    let attack = "--attack columns-and-items --max-rate 0.34";
    folder.succeed(&format!("attack out.csv --original people.csv {attack}"));
    folder.succeed("query out.csv count");
    let refused = folder.run(&format!("anonymize people.csv {data} -k 3 -o other.csv"));
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("no model is about items"), "{}", refused.stderr);
}
