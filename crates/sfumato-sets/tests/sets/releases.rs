//! Runs of baskets in every form: which form takes which job, what is written, what its manifest
//! says, and that a changed draft is never released.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use sfumato_core::observer::Unobserved;
use sfumato_core::{ErrorKind, Result};
use sfumato_engine::Job;
use sfumato_engine::manifest::Manifest;
use sfumato_sets::RELEASES;

use crate::support::{Place, form};

const LINES: &str = "a b flu\na b\na b c\nb d\nc d hiv\na c\n\nflu\n";
const SENSITIVE: &str = "layout = \"lines\"\nsensitive = [\"flu\", \"hiv\"]";

fn place() -> Place {
    let place = Place::new();
    place.write("log.dat", LINES);
    place
}

fn job(model: &str, output: &str) -> String {
    format!(
        "[input]\npath = \"log.dat\"\n[baskets]\n{SENSITIVE}\n[privacy]\nmodels = [\"{model}\"]\n\
         [run]\nseed = 1\n[output]\n{output}\n"
    )
}

fn takers(job: &Job) -> Vec<&'static str> {
    let takes = |release: &&&dyn sfumato_engine::AnyRelease| release.takes(job).unwrap();
    RELEASES.iter().filter(takes).map(|release| release.form()).collect()
}

#[test]
fn one_form_takes_a_job() {
    let place = place();
    let of = |model: &str| takers(&place.job(&job(model, "path = \"out\"")));
    for model in ["k-anonymity(k=2)", "k1-anonymity(k=2)", "1k-anonymity(k=2)", "kk-anonymity(k=2)"]
    {
        assert_eq!(of(model), ["subsets"], "{model}");
    }
    assert_eq!(of("privacy-degree(p=2)"), ["buckets"]);
    assert_eq!(of("nonreciprocal-k-anonymity(k=2)"), ["bitmaps"]);
    assert_eq!(of("nonreciprocal-l-diversity(l=2)"), ["bitmaps"]);
    // Without a model there is nothing that another form would be asked for by.
    let silent = job("k-anonymity(k=2)", "path = \"out\"").replace("\"k-anonymity(k=2)\"", "");
    assert_eq!(takers(&place.job(&silent)), ["subsets"]);
    let error = place.run(&silent).unwrap_err();
    assert_eq!(error.message, "no privacy model was asked for");
    // What can't be had together is refused by whoever takes it.
    let both = job("privacy-degree(p=2)\", \"nonreciprocal-k-anonymity(k=2)", "path = \"out\"");
    assert!(place.run(&both).unwrap_err().message.contains("can't be asked for together"));
    let mixed = job("privacy-degree(p=2)\", \"k-anonymity(k=2)", "path = \"out\"");
    assert!(place.run(&mixed).unwrap_err().message.contains("can't be asked for together"));
    for release in RELEASES {
        let families =
            [release.algorithms().len(), release.metrics().len(), release.models().len()];
        assert!(families.iter().all(|n| *n > 0));
        assert_eq!(
            (release.kind(), release.section(), release.plural()),
            ("sets", "baskets", "baskets")
        );
    }
}

#[test]
fn what_is_for_tables_or_other_forms_is_refused() {
    let place = place();
    let k = "k-anonymity(k=2)";
    let run = |text: &str| place.run(text).unwrap_err();
    let limited = job(k, "path = \"out.dat\"").replace("seed = 1", "memory = \"1GiB\"");
    assert!(run(&limited).message.contains("needs all records in memory at once"));
    let buckets = job(k, "path = \"out.dat\"\nbuckets = \"linked\"");
    assert!(run(&buckets).message.contains("buckets of baskets are made where a model asks"));
    let bitmaps = "nonreciprocal-k-anonymity(k=2)";
    for (output, said) in [
        ("path = \"out\"\nbuckets = \"linked\"", "bitmaps are no buckets"),
        ("path = \"out\"\nkeep_order = true", "can't leave in the order of the input"),
        ("path = \"out.csv\"", "a folder"),
    ] {
        assert!(run(&job(bitmaps, output)).message.contains(said), "{said}");
    }
    let limited = job(bitmaps, "path = \"out\"").replace("[run]", "max_suppression = 1\n[run]");
    assert!(run(&limited).message.contains("nothing is suppressed"));
    for (model, algorithm, said) in [
        (bitmaps, "set-mondrian", "set-mondrian makes no bitmaps of baskets"),
        ("privacy-degree(p=2)", "two-phase", "two-phase makes no buckets of baskets"),
        (k, "cahd", "cahd makes no subsets of baskets"),
        (k, "cahdd", "there is no set-algorithm 'cahdd'"),
    ] {
        let text =
            job(model, "path = \"out\"") + &format!("[recode]\nalgorithm = \"{algorithm}\"\n");
        assert_eq!(run(&text).message, said);
    }
    // Sections of tables aren't ours, and the job says so with its line.
    let columns = job(k, "path = \"out.dat\"") + "[columns]\nage = { role = \"quasi\" }\n";
    let error = run(&columns);
    assert_eq!((error.kind, error.place.line), (ErrorKind::Input, Some(12)), "{error}");
    let emptied = job("k-anonymity(k=8)", "path = \"out.dat\"")
        .replace("[run]", "max_suppression = 0\n[run]");
    let error = run(&emptied);
    assert_eq!(error.kind, ErrorKind::Infeasible);
    assert!(error.message.contains("0 may be suppressed"), "{error}");
    assert_eq!(std::fs::read_dir(place.folder()).unwrap().count(), 1);
}

#[test]
fn subsets_are_a_file_with_a_manifest_beside_it() {
    let place = place();
    let report =
        place.run(&job("k-anonymity(k=2)", "path = \"out.dat\"\nreport = \"r.json\"")).unwrap();
    assert!(report.guarantees.iter().all(|found| found.holds && found.model == "k-anonymity"));
    assert_eq!(report.guarantees[0].evidence, "checked in the written file, against the original");
    assert_eq!(report.evidence.models, ["k-anonymity(k=2)"]);
    assert_eq!(report.input.path, place.path("log.dat").display().to_string());
    let manifest = Manifest::find(&place.path("out.dat")).unwrap().unwrap();
    assert_eq!((&manifest.kind[..], &manifest.form[..], manifest.rows), ("sets", "subsets", 8));
    assert_eq!(manifest.detail("layout").unwrap(), "lines");
    assert_eq!(manifest.details_of("sensitive"), ["flu", "hiv"]);
    assert_eq!((&manifest.files[0].path[..], manifest.files[0].rows), ("out.dat", 8));
    assert_eq!(manifest.files[0].sha256, report.output.unwrap().sha256);
    assert!(place.text("r.json").contains("\"release_layout\": \"lines\""));
    // The job says nothing of the layout or of sensitive items: the manifest does.
    let release = || place.reading("out.dat", "", &["k-anonymity(k=2)"]);
    let audited = place.audit("subsets", release(), None).unwrap();
    assert!(audited.holds, "{}", audited.words);
    assert!(
        audited.words.contains("sensitive  2 items that no model counts, as the manifest says")
    );
    assert_eq!(audited.figures["sha256"], manifest.files[0].sha256.as_str());
    // What the job says counts more: all items are known then.
    let said = place.reading("out.dat", "layout = \"lines\"", &["k-anonymity(k=2)"]);
    let audited = place.audit("subsets", said, None).unwrap();
    assert!(!audited.holds && !audited.words.contains("as the manifest says"), "{}", audited.words);
    // A file that was changed isn't the one that the manifest speaks of.
    place.write("out.dat", &(place.text("out.dat") + "a\n"));
    let error = place.audit("subsets", release(), None).unwrap_err();
    assert!(
        error.message.contains("isn't the file that the manifest beside it describes"),
        "{error}"
    );
}

#[test]
fn linked_buckets_are_a_folder_that_says_how_to_read_it() {
    let place = place();
    let text = job("privacy-degree(p=2)", "path = \"out\"");
    let report = place.run(&text).unwrap();
    assert_eq!(report.guarantees[0].evidence, "checked in the written files, against the original");
    let manifest = Manifest::read(&place.path("out")).unwrap();
    assert_eq!((&manifest.kind[..], &manifest.form[..], manifest.rows), ("sets", "buckets", 8));
    assert_eq!(manifest.detail("layout").unwrap(), "lines(key=true)");
    assert_eq!(manifest.detail("group").unwrap(), "group");
    let groups = manifest.details["groups"].as_integer().unwrap();
    let held: Vec<&str> = manifest.files.iter().map(|file| &file.holds[..]).collect();
    assert_eq!(held, ["quasi", "sensitive"]);
    // An earlier release is replaced; the same seed gives the same bytes.
    let before = place.text("out/quasi.dat");
    place.run(&text).unwrap();
    assert_eq!(place.text("out/quasi.dat"), before);

    let release = |models: &[&str]| place.reading("out", "", models);
    let audited = place.audit("buckets", release(&["privacy-degree(p=2)"]), None).unwrap();
    assert!(audited.holds && audited.figures["groups"] == groups, "{}", audited.words);
    assert!(audited.words.contains("required   privacy-degree p at least 2"), "{}", audited.words);
    let error = place.audit("buckets", release(&["k-anonymity(k=2)"]), None).unwrap_err();
    assert!(error.message.contains("promises nothing about"), "{error}");
    let original = || Some(place.reading("log.dat", "layout = \"lines\"", &[]));
    let audited = place.audit("buckets", release(&[]), original()).unwrap();
    assert_eq!(audited.figures["checked_against_original"], true);
    // Nothing says how the original lies.
    let unsaid = Some(place.reading("log.dat", "", &[]));
    let error = place.audit("buckets", release(&[]), unsaid).unwrap_err();
    assert!(error.message.contains("how the original's baskets lie"), "{error}");
    let answers =
        place.query("buckets", release(&[]), &["count where a and flu"], original()).unwrap();
    let answer = &answers.answers[0];
    assert_eq!((answers.rows, &answer.truth), (8, &Some(1.into())));
    let bounds = [&answer.lower, &answer.upper].map(|n| n.as_ref().unwrap().as_u64().unwrap());
    assert!(bounds[0] <= 1 && bounds[1] >= 1);
}

#[test]
fn permuted_buckets_are_a_file_whose_manifest_says_where_groups_are() {
    let place = place();
    place.run(&job("privacy-degree(p=2)", "path = \"out.dat\"\nbuckets = \"permuted\"")).unwrap();
    let manifest = Manifest::find(&place.path("out.dat")).unwrap().unwrap();
    assert_eq!(manifest.detail("layout").unwrap(), "lines(key=true)");
    assert_eq!(manifest.details_of("sensitive"), ["flu", "hiv"]);
    let release = || place.reading("out.dat", "", &["privacy-degree(p=2)"]);
    assert!(place.audit("buckets", release(), None).unwrap().holds);
    let said = "layout = \"lines(key=true)\"\nsensitive = [\"flu\", \"hiv\"]";
    let said = place.reading("out.dat", said, &["privacy-degree(p=2)"]);
    assert!(place.audit("buckets", said, None).unwrap().holds);
    let answers = place.query("buckets", release(), &["count where flu", "count"], None).unwrap();
    assert_eq!(answers.answers[0].lower, Some(2.into()));
    assert_eq!(answers.answers[1].upper, Some(8.into()));
}

#[test]
fn bitmaps_are_a_folder_and_judged_beside_their_original() {
    let place = place();
    let report = place.run(&job("nonreciprocal-l-diversity(l=2)", "path = \"out\"")).unwrap();
    let measures: Vec<&str> = report.guarantees.iter().map(|found| &found.measure[..]).collect();
    assert_eq!(measures, ["matches", "l"]);
    assert!(report.guarantees.iter().all(|found| found.holds && found.scope == "linked"));
    let manifest = Manifest::read(&place.path("out")).unwrap();
    assert_eq!((&manifest.form[..], manifest.detail("layout").unwrap()), ("bitmaps", "lines"));
    assert_eq!(manifest.details_of("sensitive"), ["flu", "hiv"]);
    let models = ["nonreciprocal-k-anonymity(k=2)", "nonreciprocal-l-diversity(l=2)"];
    let release = |models: &[&str]| place.reading("out", "", models);
    let original = || Some(place.reading("log.dat", "layout = \"lines\"", &[]));
    let audited = place.audit("bitmaps", release(&models), original()).unwrap();
    assert!(audited.holds && audited.figures["is_true"] == true, "{}", audited.words);
    assert_eq!(audited.guarantees.len(), 3);
    assert!(audited.words.contains("truth      each record can be given a row of its own"));
    let many = place.audit("bitmaps", release(&["nonreciprocal-k-anonymity(k=8)"]), original());
    assert!(!many.unwrap().holds);
    let alone = place.audit("bitmaps", release(&[]), None).unwrap();
    assert!(alone.figures["is_true"].is_null() && alone.words.contains("truth      not checked"));
    let answers = place.query("bitmaps", release(&[]), &["count where a"], original()).unwrap();
    let answer = &answers.answers[0];
    let bounds = [&answer.lower, &answer.upper].map(|n| n.as_ref().unwrap().as_u64().unwrap());
    assert_eq!(answer.truth, Some(4.into()));
    assert!(bounds[0] <= 4 && bounds[1] >= 4);
}

#[test]
fn subsets_answer_no_queries() {
    let place = place();
    let asked = place.query("subsets", place.reading("log.dat", "", &[]), &["count"], None);
    assert_eq!(asked.unwrap_err().kind, ErrorKind::Unsupported);
}

#[test]
fn plans_are_told() {
    let place = place();
    for (name, model, output, said) in [
        ("subsets", "k-anonymity(k=2)", "out.dat", "published records with the same set"),
        (
            "buckets",
            "privacy-degree(p=2)",
            "out",
            "at most one in 2 records has the same sensitive item",
        ),
        (
            "bitmaps",
            "nonreciprocal-k-anonymity(k=2)",
            "out",
            "a possible world of 2 published records",
        ),
    ] {
        let job = place.job(&job(model, &format!("path = \"{output}\"")));
        let text = form(name).explain(&job, &Unobserved).unwrap().words();
        assert!(text.contains(said) && text.contains("read       log.dat: 8 records"), "{text}");
    }
}

/// Change a file of a draft by a function on its text.
fn changed(file: &Path, change: impl Fn(&str) -> String) -> Result<()> {
    let text = std::fs::read_to_string(file).unwrap();
    let other = change(&text);
    assert_ne!(text, other, "nothing was changed");
    std::fs::write(file, other).unwrap();
    Ok(())
}

#[test]
fn a_draft_that_was_changed_is_never_released() {
    let place = place();
    let internal = |text: &str, said: &str, tamper: &dyn Fn(&Path) -> Result<()>| {
        let error = place.tampered(text, tamper);
        assert_eq!(error.kind, ErrorKind::Internal, "{error}");
        assert!(error.message.contains(said), "{error}");
        assert_eq!(std::fs::read_dir(place.folder()).unwrap().count(), 1);
    };
    let subsets = job("k-anonymity(k=2)", "path = \"out.dat\"\nkeep_order = true");
    internal(&subsets, "has an item that its record hasn't", &|draft| {
        changed(draft, |text| text.replacen('\n', " d\n", 1))
    });
    internal(&subsets, "8 records were published and 7 are in the file", &|draft| {
        changed(draft, |text| text.split_once('\n').unwrap().1.to_string())
    });
    internal(&subsets, "the sensitive items of row 1 aren't those", &|draft| {
        changed(draft, |text| text.replacen("flu", "", 1))
    });
    // True, and yet no promise: one record has lost what its likes still have.
    internal(&subsets, "k-anonymity(k=2) doesn't hold", &|draft| {
        changed(draft, |text| text.replacen("a b\n", "a\n", 1))
    });
    let buckets = job("privacy-degree(p=2)", "path = \"out\"");
    internal(&buckets, "hasn't the items of its record", &|draft| {
        changed(&draft.join("quasi.dat"), |text| text.replacen(" a", "", 1))
    });
    internal(&buckets, "group '777' has counts and no records", &|draft| {
        changed(&draft.join("sensitive.csv"), |text| text.replacen("\n", "\n777,2,flu,1\n", 1))
    });
    let bitmaps = job("nonreciprocal-k-anonymity(k=3)", "path = \"out\"");
    internal(&bitmaps, "isn't one", &|draft| {
        changed(&draft.join("distance.dat"), |text| text.lines().map(|_| "0\n").collect())
    });
    internal(&bitmaps, "the sensitive items of row", &|draft| {
        changed(&draft.join("base.dat"), |text| text.replacen("flu", "hiv", 1))
    });
}
