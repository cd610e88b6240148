//! A section of an invented kind of data, and tests that every report shows it nevertheless.

use serde_json::{Value, json};

use crate::{Block, Classes, Heading, Place, PublicReport, Report, Section, Tile, Words};
use crate::{fixture, render_private, render_public, summary};

/// A section about smells. Its private parts contain a mark that is easy to find.
pub(crate) fn section() -> Section {
    let table = |cell: &str| Block::Table {
        caption: "Smells by strength".into(),
        header: vec![Heading::words("Smell"), Heading::numbers("Strength")],
        rows: vec![vec![cell.into(), "7".into()]],
    };
    Section {
        public: Some(json!({ "strongest": "vanilla" })),
        tiles: vec![Tile::new("Noses", "zzsecret tile".into(), "of two")],
        lines: vec![("smells".into(), "one line".into()), ("smells".into(), "another".into())],
        blocks: vec![Block::Banner("zzsecret banner".into()), table("zzsecret cell")],
        public_blocks: vec![Block::Paragraph("Smells are strong.".into()), table("vanilla")],
        ..Section::new("smells", "All the smells", &json!({ "strongest": "zzsecret figure" }))
    }
}

fn report() -> Report {
    let mut report = fixture::report();
    report.classes_before = Some(Classes::from_sizes([(917_001, 1)]));
    report.input.holds = Some("zzsecret smells".into());
    report.sections = vec![section()];
    report.words = Words { cells: "whiffs", cost: "Faded", cost_shown: 1, ..Words::default() };
    report.audit.add("--smells", "vanilla");
    report.audit.add_private("--nose", "zzsecret");
    report
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn every_report_shows_it() {
    let report = report();
    let public = PublicReport::from(&report);
    assert_eq!(json(&report.to_json())["smells"], json!({ "strongest": "zzsecret figure" }));
    assert_eq!(json(&public.to_json())["smells"], json!({ "strongest": "vanilla" }));
    let text = summary(&report);
    for line in [
        "\n  smells      one line\n              another\n",
        " 6,000 records, zzsecret smells, ",
        " whiffs\n",
        "\n  faded       ncp ",
        " --smells vanilla --nose zzsecret --model ",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let heading = "<h2 id=\"all-the-smells-h\">All the smells</h2>";
    let page = render_private(&report);
    for part in [
        heading,
        "zzsecret banner",
        "<th scope=\"row\">zzsecret cell</th><td class=\"num\">7</td>",
        "<dt>Noses</dt><dd>zzsecret tile <small>of two</small>",
        "Faded of the whole release",
    ] {
        assert!(page.contains(part), "{part}");
    }
    let page = render_public(&public);
    let cells = "<th scope=\"row\">vanilla</th><td class=\"num\">7</td>";
    let command = "audit FILE --qi age,zip,sex,education --sensitive disease --smells vanilla";
    for part in [heading, "<p>Smells are strong.</p>", cells, command] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn what_is_private_stays_private() {
    let public = PublicReport::from(&report());
    for text in [public.to_json(), render_public(&public), format!("{public:?}")] {
        for mark in ["zzsecret", "917001", "917,001", "Noses", "one line", "--nose", "--original"] {
            assert!(!text.contains(mark), "{mark} leaks: {text}");
        }
    }
}

#[test]
fn a_section_is_private_until_more_is_said() {
    let section = Section {
        lines: section().lines,
        blocks: section().blocks,
        ..Section::new("zzsecret", "Zzsecret", &json!({ "a": 1 }))
    };
    let report = Report { sections: vec![section], ..fixture::report() };
    let plain = PublicReport::from(&fixture::report());
    assert_eq!(PublicReport::from(&report), plain);
}

#[test]
fn details_stand_below_the_columns() {
    let place = |place: Place, render: fn(&Report) -> String| {
        let report = Report { sections: vec![Section { place, ..section() }], ..fixture::report() };
        let page = render(&report);
        page.find("<section id=\"all-the-smells\"").unwrap() > page.find("id=\"columns\"").unwrap()
    };
    for render in [render_private, |report: &Report| render_public(&PublicReport::from(report))] {
        assert_eq!([Place::Front, Place::Details].map(|at| place(at, render)), [false, true]);
    }
}

#[test]
fn keys_keep_their_place() {
    let json = json(&report().to_json());
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let at = |key: &str| keys.iter().position(|known| *known == key).unwrap();
    assert_eq!((at("smells"), at("guarantees")), (at("columns") + 1, at("columns") + 2));
}
