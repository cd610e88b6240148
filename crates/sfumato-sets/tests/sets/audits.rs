//! Audits of files that others made: what a file can't state is refused, and never judged from
//! other facts.
#![allow(clippy::unwrap_used)]

use sfumato_core::ErrorKind;
use sfumato_core::facts::Facts as _;
use sfumato_core::transactions::Transactions;
use sfumato_sets::forms::combinations::{Answered, Combinations};
use sfumato_sets::forms::subsets::Alike;
use sfumato_sets::forms::subsets::facts::Stated;

use crate::support::Place;

const LINES: &str = "layout = \"lines\"";

fn place() -> Place {
    let place = Place::new();
    place.write("log.dat", "1 2 3\n1 2\n1 2\n4\n4 5\n4\n");
    place.write("out.dat", "1 2\n1 2\n1 2\n4\n4\n4\n");
    place
}

#[test]
fn matches_and_labels_are_not_counted_as_copies() {
    let place = place();
    let models = ["nonreciprocal-k-anonymity(k=3)", "nonreciprocal-l-diversity(l=3)"];
    for model in models {
        // Every set is there three times, so that copies would do.
        for form in ["subsets", "bitmaps", "buckets"] {
            for original in [None, Some(place.reading("log.dat", LINES, &[]))] {
                let release = place.reading("out.dat", LINES, &[model]);
                let error = place.audit(form, release, original).unwrap_err();
                assert_eq!(error.kind.exit_code(), 2, "{form} {model}: {error}");
            }
        }
        // The facts themselves refuse such a question by name.
        let rows = Transactions::from_sets(2, [vec![0, 1], vec![0, 1], vec![0, 1]]);
        let alike = Alike::of(&rows);
        let answered = Answered::default();
        let combinations =
            Combinations { rows: &rows, alike: &alike, sensitive: None, answered: &answered };
        let alone = Stated { combinations, original: None, told: None };
        let beside = Stated { combinations, original: Some(&rows), told: None };
        let bound = sfumato_sets::models::bind(&[model.to_string()]).unwrap();
        for facts in [alone, beside] {
            let error = bound.all[0].judge(&facts).unwrap_err();
            assert_eq!(error.kind, ErrorKind::Unsupported);
            assert!(error.message.contains(facts.release()), "{error}");
        }
    }
}

#[test]
fn what_is_about_the_original_needs_it() {
    let place = place();
    let audit = |model: &str, original: bool| {
        let original = original.then(|| place.reading("log.dat", LINES, &[]));
        place.audit("subsets", place.reading("out.dat", LINES, &[model]), original)
    };
    assert!(audit("k-anonymity(k=3)", false).unwrap().holds);
    assert!(!audit("k-anonymity(k=4)", false).unwrap().holds);
    for model in ["k1-anonymity(k=3)", "1k-anonymity(k=3)", "kk-anonymity(k=3)"] {
        let error = audit(model, false).unwrap_err();
        assert_eq!(
            (error.kind, &error.hint.unwrap()[..]),
            (ErrorKind::Params, "name the data with --original")
        );
        let audited = audit(model, true).unwrap();
        assert!(audited.holds, "{}", audited.words);
        assert!(audited.guarantees.iter().all(|found| found.scope == "linked"));
    }
    let error = audit("privacy-degree(p=2)", false).unwrap_err();
    assert!(error.message.contains("is about bucket releases"), "{error}");
    let audited = audit("kk-anonymity(k=4)", true).unwrap();
    assert!(
        !audited.holds && audited.words.contains("achieved 3: DOES NOT HOLD"),
        "{}",
        audited.words
    );
    // The same keys as ever, for programs.
    for key in ["sha256", "empty", "instances", "achieved", "classes", "risks"] {
        assert!(audited.figures.contains_key(key), "{key}");
    }
    assert_eq!(audited.figures["achieved"].as_array().unwrap().len(), 3);
    let limited = sfumato_engine::entry::Request {
        job: place.reading("out.dat", LINES, &[]),
        memory: Some(1 << 20),
        ..Default::default()
    };
    let refused =
        crate::support::form("subsets").audit(&limited, &sfumato_core::observer::Unobserved);
    assert!(refused.unwrap_err().message.contains("--memory is for tables"));
}

#[test]
fn items_of_nobody_are_told() {
    let place = place();
    place.write("strange.dat", "77\n77\n");
    let original = Some(place.reading("log.dat", LINES, &[]));
    let release = place.reading("strange.dat", LINES, &["k-anonymity(k=2)"]);
    let error = place.audit("subsets", release, original).unwrap_err();
    assert!(error.message.contains("an item is in no record of the original"), "{error}");
    assert!(error.values.is_some_and(|values| values.contains("77")));
}
