//! Columns beside paths that are generalized by models of tables, in the same run.

use std::collections::BTreeMap;

use sfumato_core::observer::Unobserved;
use sfumato_engine::Job;
use sfumato_kinds::RELEASES;

#[test]
fn columns_beside_paths_are_generalized_and_whoever_knows_both_learns_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::from("ID,LOC,T,age,ward\n");
    for who in 0..60 {
        let (age, ward) = (20 + (who * 7) % 50, ["heart", "skin", "bones"][who % 3]);
        for time in 0..3 {
            let place = ["a", "b", "c"][(who / 20 + time * (who / 30)) % 3];
            text += &format!("p{who},{place},{time},{age},{ward}\n");
        }
    }
    std::fs::write(folder.path().join("in.csv"), text).unwrap();
    let job = |models: &str| {
        let text = format!(
            "[input]\npath = \"in.csv\"\n[paths]\nlayout = \"points(id=ID, place=LOC, time=T)\"\n\
             sensitive = [\"ward\"]\nquasi = [\"age\"]\nquasi_models = [{models}]\n[privacy]\n\
             models = [\"lkc-privacy(l=2, k=3, c=0.9)\"]\n[output]\npath = \
             \"out.csv\"\n[run]\nseed = 1\n"
        );
        Job::parse(&text, "release.toml", folder.path()).unwrap()
    };
    let run = job("\"k-anonymity(k=10)\", \"l-diversity-distinct(l=2, on=ward)\"");
    let report = RELEASES.run(&run, &Unobserved).unwrap();
    assert!(report.guarantees.iter().all(|one| one.holds));
    let json = serde_json::to_string(&report).unwrap();
    assert!(json.contains("k-anonymity"), "{json}");
    // In the file nobody's age is their own, and every age is that of ten people at least, of whom
    // some may have lost their path.
    let text = std::fs::read_to_string(folder.path().join("out.csv")).unwrap();
    let mut people: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let ids = people.entry(cells[3].to_string()).or_default();
        if !ids.contains(&cells[0].to_string()) {
            ids.push(cells[0].to_string());
        }
    }
    assert!(people.len() > 1 && people.keys().all(|age| age.parse::<u32>().is_err()), "{people:?}");
    assert!(people.values().all(|ids| ids.len() >= 3), "{people:?}");
    // What the table can't keep ends the run, and nothing is written.
    std::fs::remove_file(folder.path().join("out.csv")).unwrap();
    let error = RELEASES.run(&job("\"k-anonymity(k=61)\""), &Unobserved).unwrap_err();
    assert!(error.message.starts_with("columns beside paths"), "{error}");
    assert!(!folder.path().join("out.csv").exists());
}
