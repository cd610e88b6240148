//! Personalized privacy: what people asked to keep from being learnt is kept, and never published.

use std::collections::BTreeMap;

use crate::support::{Folder, rows};

const TREE: &str = "flu;lungs;*\npneumonia;lungs;*\ngout;joints;*\narthritis;joints;*\n";

fn folder() -> Folder {
    let folder = Folder::new();
    folder.write("tree.csv", TREE);
    let diseases = ["flu", "gout", "pneumonia", "arthritis"];
    let wishes = ["lungs", "", "", "flu", "", "", "", "gout"];
    let mut text = String::from("age,disease,wish\n");
    for i in 0..64 {
        text += &format!("{},{},{}\n", 20 + i * 7 % 30, diseases[i % 4], wishes[i * 3 % 8]);
    }
    folder.write("data.csv", text);
    folder
}

const ROLES: &str = "--qi age --sensitive disease --guard wish --hierarchy disease=tree.csv";

#[test]
fn wishes_are_kept_in_every_group_and_published_nowhere() {
    let folder = folder();
    let report = folder.report(&format!(
        "anonymize data.csv -o out {ROLES} --algorithm mondrian --buckets linked --model \
            personalized-privacy(breach=0.5) --keep-order"
    ));
    assert_eq!(report["guarantees"][0]["model"], "personalized-privacy");
    let quasi = folder.text("out/quasi.csv");
    assert!(quasi.starts_with("age,group\n") && !folder.text("out/release.json").contains("wish"));
    let data = folder.text("data.csv");
    let mut groups: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
    for (published, original) in rows(&quasi).iter().zip(rows(&data)).skip(1) {
        assert_eq!(published[0], original[0], "rows are in the order of the input");
        groups
            .entry(published[1].into())
            .or_default()
            .push((original[1].into(), original[2].into()));
    }
    assert!(groups.len() > 1);
    let below = |node: &str, disease: &str| {
        node == disease || TREE.lines().any(|line| line.starts_with(&format!("{disease};{node};")))
    };
    for people in groups.values() {
        for (_, wish) in people.iter().filter(|(_, wish)| !wish.is_empty()) {
            let exposed = people.iter().filter(|(disease, _)| below(wish, disease)).count();
            assert!(2 * exposed <= people.len(), "{wish}: {people:?}");
        }
    }
}

#[test]
fn generalized_releases_keep_them_too() {
    let folder = folder();
    folder.succeed(&format!(
        "anonymize data.csv -o out.csv {ROLES} --algorithm mondrian -k 2 --model \
            personalized-privacy(guard=wish,breach=0.6)"
    ));
    assert!(folder.text("out.csv").starts_with("age,disease\n"));
}

#[test]
fn what_cannot_be_kept_or_read_is_said() {
    let folder = folder();
    let run = |words: &str, code: i32, said: &str| {
        let outcome = folder.run(words);
        assert_eq!(outcome.code, code, "{words}\n{}", outcome.stderr);
        assert!(outcome.stderr.contains(said), "{words}\n{}", outcome.stderr);
    };
    let model = "--algorithm mondrian --buckets linked --model personalized-privacy(breach=0.05)";
    run(&format!("anonymize data.csv -o out {ROLES} {model}"), 3, "personalized-privacy");
    run(
        &format!("anonymize data.csv -o out --qi age --sensitive disease --guard wish {model}"),
        2,
        "needs a hierarchy",
    );
    let without = "--qi age --sensitive disease --identifier wish --hierarchy disease=tree.csv";
    run(&format!("anonymize data.csv -o out {without} {model}"), 2, "needs a column of role guard");
    folder.write("data.csv", folder.text("data.csv").replace(",lungs", ",liver"));
    run(
        &format!("anonymize data.csv -o out {ROLES} {model}"),
        2,
        "1 value of column 'wish' is no node",
    );
    run(
        &format!("anonymize data.csv -o out.csv {ROLES} -k 2 --memory 64MiB"),
        2,
        "guards need the table in memory",
    );
}
