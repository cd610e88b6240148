//! Mixed records from file to file: what is promised holds for whoever knows columns and items.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;
use sfumato_core::observer::Unobserved;
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::attack::AttackAsked;
use sfumato_engine::entry::Request;
use sfumato_engine::{Job, Releases};
use sfumato_report::Report;

static RELEASES: Releases =
    Releases(&[sfumato_table::RELEASES, sfumato_sets::RELEASES, sfumato_mixed::RELEASES]);

fn run(folder: &Path, text: &str) -> Result<Report> {
    RELEASES.run(&Job::parse(text, "release.toml", folder)?, &Unobserved)
}

fn read(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// People with an age, a sex, a ward and a set of diagnoses that goes with the age.
fn people(folder: &Path, n: u32) {
    let mut out = String::from("age,sex,codes,ward\n");
    for i in 0..n {
        let (age, sex) = (20 + (i * 7) % 40, ["f", "m"][i as usize % 2]);
        let mut codes = vec![format!("a{}", i % 4), format!("b{}", (i / 3) % 5)];
        if i % 5 == 0 {
            codes.push(format!("a{}", (i + 1) % 4));
        }
        if i % 11 == 0 {
            codes.push("hiv".into());
        }
        out += &format!("{age},{sex},{},{}\n", codes.join(";"), ["x", "y", "z"][i as usize % 3]);
    }
    std::fs::write(folder.join("people.csv"), out).unwrap();
    let tree: String = (0..4).map(|i| format!("a{i};A;*\n")).collect();
    let tree = tree + &(0..5).map(|i| format!("b{i};B;*\n")).collect::<String>() + "hiv;H;*\n";
    std::fs::write(folder.join("tree.csv"), tree).unwrap();
}

fn job(models: &str, baskets: &str, output: &str) -> String {
    format!(
        "[input]\npath = \"people.csv\"\n[columns]\nage = {{ role = \"quasi\" }}\n\
         sex = {{ role = \"quasi\" }}\nward = {{ role = \"sensitive\" }}\n\
         [baskets]\nlayout = \"list(column=codes)\"\n{baskets}\n[privacy]\nmodels = [{models}]\n\
         [output]\npath = \"{output}\"\n[run]\nseed = 1\n"
    )
}

/// Rows of a release without its header: the texts of quasi columns, and the items.
fn rows(folder: &Path) -> Vec<(String, Vec<String>)> {
    let text = read(folder, "release.csv");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let items = cells[2].split(';').filter(|item| !item.is_empty());
        (format!("{},{}", cells[0], cells[1]), items.map(String::from).collect())
    };
    text.lines().skip(1).map(row).collect()
}

/// By its definition: whoever knows the columns and up to m items of a row finds at least k rows.
/// Returns the fewest that anybody finds.
fn fewest(rows: &[(String, Vec<String>)], m: usize) -> usize {
    let mut found: BTreeMap<(&str, Vec<&str>), usize> = BTreeMap::new();
    for (columns, items) in rows {
        let mut items: Vec<&str> = items.iter().map(String::as_str).collect();
        items.sort_unstable();
        for mask in 0..1u32 << items.len() {
            if mask.count_ones() as usize <= m {
                let known = (0..items.len()).filter(|at| mask >> at & 1 == 1);
                let known = known.map(|at| items[at]).collect();
                *found.entry((columns, known)).or_default() += 1;
            }
        }
    }
    found.into_values().min().unwrap_or(0)
}

fn audited(folder: &Path, file: &str, said: Option<&str>) -> serde_json::Value {
    let mut job = match said {
        Some(text) => Job::parse(text, "release.toml", folder).unwrap(),
        None => Job::default(),
    };
    job.remove("output");
    job.set("input", "path", folder.join(file).display().to_string());
    let request = Request { job, ..Request::default() };
    serde_json::to_value(RELEASES.audit(&request, &Unobserved).unwrap()).unwrap()
}

#[test]
fn one_requirement_holds_over_columns_and_items() {
    let folder = tempfile::tempdir().unwrap();
    people(folder.path(), 120);
    for baskets in ["", "hierarchy = \"tree.csv\""] {
        let text = job("\"km-anonymity(k=4, m=2)\"", baskets, "release.csv");
        assert!(fewest(&original(folder.path()), 2) < 4);
        let report = run(folder.path(), &text).unwrap();
        assert!(report.guarantees.iter().all(|found| found.holds), "{:?}", report.guarantees);
        let published = rows(folder.path());
        assert_eq!(published.len(), 120);
        assert!(fewest(&published, 2) >= 4, "{published:?}");
        let items = &report.sections.iter().find(|section| section.key == "items").unwrap().figures;
        let loss = items["loss"].as_f64().unwrap();
        assert!(loss > 0.0 && loss < 1.0, "{items}");
        // The same seed gives the same bytes, and an audit agrees with the count.
        let bytes = read(folder.path(), "release.csv");
        run(folder.path(), &text).unwrap();
        assert_eq!(read(folder.path(), "release.csv"), bytes);
        let audit = audited(folder.path(), "release.csv", Some(&text));
        assert_eq!(audit["holds"], true, "{audit}");
        assert!(audit["classes"]["min"].as_u64().unwrap() >= 4, "{audit}");
    }
}

fn original(folder: &Path) -> Vec<(String, Vec<String>)> {
    let text = read(folder, "people.csv");
    std::fs::write(folder.join("release.csv"), text).unwrap();
    let rows = rows(folder);
    std::fs::remove_file(folder.join("release.csv")).unwrap();
    rows
}

#[test]
fn each_by_itself_is_not_enough_and_the_audit_says_where() {
    let folder = tempfile::tempdir().unwrap();
    // Columns are 2-anonymous, items are 2^2-anonymous, and both together say who is who.
    let text = "age,sex,codes\n30,f,a;b\n30,f,c;d\n40,m,a;b\n40,m,c;d\n";
    std::fs::write(folder.path().join("people.csv"), text).unwrap();
    let said = "[input]\npath = \"people.csv\"\n[columns]\nage = { role = \"quasi\" }\n\
                sex = { role = \"quasi\" }\n[baskets]\nlayout = \"list(column=codes)\"\n\
                [privacy]\nmodels = [\"k-anonymity(k=2)\", \"km-anonymity(k=2, m=2)\"]\n";
    let audit = audited(folder.path(), "people.csv", Some(said));
    let holds = |model: &str| {
        let all = audit["guarantees"].as_array().unwrap();
        all.iter().find(|found| found["model"] == model).unwrap()["holds"].as_bool().unwrap()
    };
    assert!(holds("k-anonymity") && !holds("km-anonymity"), "{audit}");
    let failing = &audit["failing_items"][0];
    assert_eq!((&failing["items"][0], &failing["support"]), (&"a".into(), &1.into()), "{audit}");
    assert_eq!(failing["rows"][0], 1);
}

#[test]
fn sensitive_items_are_bounded_in_every_class() {
    let folder = tempfile::tempdir().unwrap();
    people(folder.path(), 200);
    let model = "\"coherence(h=0.4, k=4, p=1)\", \"l-diversity-distinct(l=2, on=ward)\"";
    let text = job(model, "sensitive = [\"hiv\"]", "release.csv");
    let report = run(folder.path(), &text).unwrap();
    assert_eq!(report.guarantees.len(), 3);
    assert!(report.guarantees.iter().all(|found| found.holds), "{:?}", report.guarantees);
    let published = rows(folder.path());
    let n = published.iter().filter(|(_, items)| items.contains(&"hiv".to_string())).count();
    assert_eq!(n, 200usize.div_ceil(11), "sensitive items are published as they are");
    // By its definition: of those with the same columns and any one item at most 0.4 have it.
    for (columns, items) in &published {
        let known = items.iter().filter(|item| *item != "hiv").map(Some).chain([None]);
        for known in known {
            let fit: Vec<_> = published
                .iter()
                .filter(|(other, has)| {
                    other == columns && known.is_none_or(|one| has.contains(one))
                })
                .collect();
            let sick = fit.iter().filter(|(_, has)| has.contains(&"hiv".to_string())).count();
            assert!(fit.len() >= 4 && 5 * sick <= 2 * fit.len(), "{columns} {known:?}");
        }
    }
}

#[test]
fn lists_of_parquet_are_lists_again() {
    let folder = tempfile::tempdir().unwrap();
    people(folder.path(), 80);
    let first = job("\"km-anonymity(k=3, m=1)\"", "", "release.parquet");
    run(folder.path(), &first).unwrap();
    // The release has a column of lists beside others, and is an input like any other.
    let audit = audited(folder.path(), "release.parquet", None);
    assert_eq!((&audit["kind"], &audit["rows"]), (&"mixed".into(), &80.into()), "{audit}");
    let again = job("\"km-anonymity(k=3, m=1)\"", "", "release.csv")
        .replace("people.csv", "release.parquet");
    run(folder.path(), &again).unwrap();
    assert!(fewest(&rows(folder.path()), 1) >= 3);
}

#[test]
fn whoever_knows_both_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    people(folder.path(), 150);
    let text = job("\"km-anonymity(k=5, m=2)\"", "hierarchy = \"tree.csv\"", "release.csv");
    run(folder.path(), &text).unwrap();
    // Columns by themselves: the same classes with the items as they were.
    let rate = |file: &str| {
        let job = |path: &str| {
            let mut job = Job::parse(&text, "release.toml", folder.path()).unwrap();
            job.remove("output");
            job.remove("privacy");
            job.set("input", "path", folder.path().join(path).display().to_string());
            job
        };
        let attack =
            AttackAsked { attacks: vec!["columns-and-items".into()], ..AttackAsked::default() };
        let original = Some(job("people.csv"));
        let request = Request { job: job(file), original, attack, ..Request::default() };
        RELEASES.attack(&request, &Unobserved).unwrap().attacks[0].rate.unwrap()
    };
    assert!(rate("people.csv") > 0.7, "{}", rate("people.csv"));
    assert!(rate("release.csv") <= 0.2 + 1e-9, "{}", rate("release.csv"));
}

#[test]
fn what_can_not_be_done_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    people(folder.path(), 30);
    let kind = |models: &str, baskets: &str| {
        let error = run(folder.path(), &job(models, baskets, "release.csv")).unwrap_err();
        assert!(!folder.path().join("release.csv").exists());
        error.kind
    };
    assert_eq!(kind("\"k-anonymity(k=3)\"", ""), ErrorKind::Params);
    assert_eq!(kind("\"coherence(h=0.5, k=2, p=1)\"", ""), ErrorKind::Params);
    let with_tree = "sensitive = [\"hiv\"]\nhierarchy = \"tree.csv\"";
    assert_eq!(kind("\"coherence(h=0.5, k=2, p=1)\"", with_tree), ErrorKind::Unsupported);
    assert_eq!(kind("\"km-anonymity(k=31, m=1)\"", ""), ErrorKind::Infeasible);
    let rare = "sensitive = [\"a1\"]";
    assert_eq!(kind("\"coherence(h=0.01, k=2, p=1)\"", rare), ErrorKind::Infeasible);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_records_keep_the_promise(
        people in prop::collection::vec(
            (0u32..4, 0u32..3, prop::collection::btree_set(0u32..5, 0..4)),
            6..24,
        ),
        (k, m) in (2usize..4, 1usize..4),
        by in prop::sample::select(vec!["both", "columns", "items", "nothing"]),
        has_tree in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let mut text = String::from("age,sex,codes\n");
        for (age, sex, codes) in &people {
            let codes: Vec<String> = codes.iter().map(|code| format!("c{code}")).collect();
            text += &format!("{age},{sex},{}\n", codes.join(";"));
        }
        std::fs::write(folder.path().join("people.csv"), text).unwrap();
        let tree: String = (0..5).map(|i| format!("c{i};C{};*\n", i / 3)).collect();
        std::fs::write(folder.path().join("tree.csv"), tree).unwrap();
        let hierarchy = if has_tree { "hierarchy = \"tree.csv\"" } else { "" };
        let job = format!(
            "[input]\npath = \"people.csv\"\n[columns]\nage = {{ role = \"quasi\" }}\n\
             sex = {{ role = \"quasi\" }}\n[baskets]\nlayout = \"list(column=codes)\"\n\
             {hierarchy}\n[privacy]\nmodels = [\"km-anonymity(k={k}, m={m})\"]\n[recode]\n\
             algorithm = \"class-merging(by={by})\"\n[output]\npath = \"release.csv\"\n\
             [run]\nseed = 1\n"
        );
        run(folder.path(), &job).unwrap();
        let published = rows(folder.path());
        prop_assert_eq!(published.len(), people.len());
        prop_assert!(fewest(&published, m) >= k, "{:?}", published);
    }
}
