//! Tests both pages with a complete report, an almost empty one and a malicious one.

use serde_json::json;

use super::{render_private, render_public};
use crate::{
    Block, Dot, Guarantee, Heading, PublicReport, Report, Section, Seed, Stroke, Tile, fixture,
};

const VOID: [&str; 4] = ["meta", "br", "hr", "col"];

/// Check the tags of a page: every tag is closed in order, attributes are quoted, ampersands start
/// an entity, and no id is used twice.
fn check_well_formed(page: &str) -> Result<(), String> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>\n").ok_or("no doctype")?;
    let mut open: Vec<&str> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        // A style sheet isn't parsed as markup.
        if open.last() != Some(&"style") {
            for (at, _) in text.match_indices('&') {
                let entity = &text[at..text[at..].find(';').map_or(text.len(), |end| at + end + 1)];
                if !["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"].contains(&entity) {
                    return Err(format!("stray ampersand before {:?}", &text[at..]));
                }
            }
        }
        let end = rest[start..].find('>').ok_or("unfinished tag")? + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop().ok_or(format!("{name} closes nothing"))?;
            if last != name {
                return Err(format!("{name} closes {last}"));
            }
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap_or_default();
        if tag.matches('"').count() % 2 != 0 || tag.contains('<') {
            return Err(format!("bad attributes in {tag}"));
        }
        if let Some(id) = tag.split(" id=\"").nth(1).and_then(|tail| tail.split('"').next()) {
            if ids.contains(&id) {
                return Err(format!("id {id} twice"));
            }
            ids.push(id);
        }
        if !tag.ends_with('/') && !VOID.contains(&name) {
            open.push(name);
        }
    }
    if open.is_empty() { Ok(()) } else { Err(format!("left open: {open:?}")) }
}

/// The complete report with markup in every place that data can reach.
fn malicious() -> Report {
    let nasty = "<script>alert(1)</script>\"' onload=\"x\" &";
    let bad = || nasty.to_string();
    let json = fixture::report().to_json();
    let mut report = Report::from_json(&json).unwrap();
    report.version = bad();
    report.input.path = bad();
    report.input.format = bad();
    report.job_toml = Some(format!("a = 1\n{nasty}"));
    report.seed = Seed { note: bad(), ..Seed::given(1) };
    report.algorithm.name = bad();
    report.algorithm.params = json!({nasty: nasty});
    for column in &mut report.columns {
        column.name = bad();
        column.data_type = bad();
        column.generalisation = Some(bad());
        column.hierarchy = Some(bad());
        column.note = Some(bad());
    }
    report.columns[0].role = bad();
    for guarantee in &mut report.guarantees {
        *guarantee = Guarantee {
            params: json!({"on": nasty}),
            model: bad(),
            measure: bad(),
            ..guarantee.clone()
        };
        guarantee.scope = bad();
        guarantee.evidence = bad();
    }
    report.metrics.insert(nasty, Some(0.5));
    let by_column = [(nasty, Some(0.5)), ("age", None)].into_iter().collect();
    report.metrics_by_column = [(nasty, by_column)].into_iter().collect();
    report.risks.insert(nasty, crate::Change { before: Some(0.5), after: None });
    report.evidence.note = Some(bad());
    report.evidence.mechanism = Some(bad());
    report.dependencies[0].column = bad();
    report.dependencies[0].determines = bad();
    report.warnings.push(bad());
    report.largest_losses[0].column = bad();
    report.largest_losses[0].published = bad();
    report.sample[0].original.insert(nasty, Some(bad()));
    report.sample[0].published.insert("age", Some(bad()));
    let output = report.output.as_mut().unwrap();
    output.path = bad();
    output.sha256 = bad();
    report.audit.add("--paths", nasty);
    report.sections.push(section(nasty));
    report
}

/// A section with the same text in every place.
fn section(text: &str) -> Section {
    let all = || text.to_string();
    let table = Block::Table {
        caption: all(),
        header: vec![Heading::words(text), Heading::words(text), Heading::numbers(text)],
        rows: vec![vec![all(), all(), all()]],
    };
    let list = Block::List(vec![all()]);
    let columns = Block::Columns {
        caption: all(),
        x: all(),
        labels: vec![all()],
        series: vec![(all(), vec![1]), (all(), vec![2])],
    };
    let dot = Dot { x: 10, y: 1_000, radius: 4 };
    let lines = vec![(0, 1, Stroke::Plain(5)), (0, 1, Stroke::Added), (1, 7, Stroke::Gone)];
    let network = Block::Network { caption: all(), dots: vec![dot, dot], lines };
    let blocks = vec![Block::Paragraph(all()), Block::Banner(all()), list, table, columns, network];
    Section {
        tiles: vec![Tile::new(text, all(), text)],
        lines: vec![(all(), all())],
        public: Some(all().into()),
        blocks: blocks.clone(),
        public_blocks: blocks,
        ..Section::new(text, text, &text)
    }
}

#[test]
fn the_checker_sees_faults() {
    for page in [
        "<!DOCTYPE html>\n<p>",
        "<!DOCTYPE html>\n<p></div>",
        "<!DOCTYPE html>\n</p>",
        "<!DOCTYPE html>\n<p>a & b</p>",
        "<!DOCTYPE html>\n<p class=\"x></p>",
        "<!DOCTYPE html>\n<p id=\"x\"></p><p id=\"x\"></p>",
        "<p></p>",
    ] {
        assert!(check_well_formed(page).is_err(), "{page}");
    }
}

#[test]
fn pages_are_well_formed() {
    for report in [fixture::report(), Report::default(), malicious()] {
        assert_eq!(check_well_formed(&render_private(&report)), Ok(()));
        assert_eq!(check_well_formed(&render_public(&PublicReport::from(&report))), Ok(()));
    }
}

#[test]
fn markup_in_the_data_stays_text() {
    let report = malicious();
    for page in [render_private(&report), render_public(&PublicReport::from(&report))] {
        assert!(!page.contains("<script") && !page.contains("\" onload"));
        assert!(page.contains("&lt;script&gt;"));
    }
}

#[test]
fn pages_fetch_nothing() {
    let report = fixture::report();
    for page in [render_private(&report), render_public(&PublicReport::from(&report))] {
        for word in ["http://", "https://", "src=", "@import", "<link", "<script", "<iframe"] {
            assert!(!page.contains(word), "{word}");
        }
        // Links lead to places on the page itself, and every one of them is there.
        for link in page.split("href=\"").skip(1) {
            let target = link.split('"').next().unwrap_or_default();
            let id = target.strip_prefix('#').expect("a link leads to a place on the page");
            assert!(page.contains(&format!("id=\"{id}\"")), "{id}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn the_private_page_says_what_the_report_says() {
    let report = fixture::report();
    let page = render_private(&report);
    assert!(page.contains("Keep this page private: it shows original rows."));
    assert!(page.contains("Holds: every record is published like at least "));
    assert!(page.contains("sfumato audit release.csv --original patients.csv --qi "));
    for id in [
        "warnings",
        "asked",
        "classes",
        "risks",
        "loss",
        "largest-losses",
        "sample",
        "columns",
        "run",
        "check",
        "job",
    ] {
        assert!(page.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    assert_eq!(page.matches("<svg").count(), 4);
    assert_eq!(page.matches("<svg").count(), page.matches("role=\"img\"").count());
    let tables = page.matches("<table").count();
    assert_eq!(
        (page.matches("<caption>").count(), page.matches("<thead>").count()),
        (tables, tables)
    );
}

#[test]
fn a_given_seed_is_shouted() {
    let report = Report { seed: Seed::given(99), ..fixture::report() };
    let page = render_private(&report);
    assert!(page.contains("not for release: ") && page.contains("(seed 99)"));
    assert!(!render_private(&fixture::report()).contains("not for release"));
}

#[test]
fn failure_is_said_in_words() {
    let mut report = fixture::report();
    report.guarantees[0].holds = false;
    for page in [render_private(&report), render_public(&PublicReport::from(&report))] {
        assert!(page.contains("Does not hold: ") && page.contains("\u{2717} fails"));
    }
}

#[test]
fn wide_tables_fold_and_columns_are_told_in_words() {
    let mut report = fixture::report();
    let column = report.columns[0].clone();
    report.columns =
        (0..500).map(|n| crate::Column { name: format!("column {n}"), ..column.clone() }).collect();
    report.made = Some("2026-11-18 13:00 UTC".into());
    report.kept = (0..500)
        .map(|n| crate::Kept {
            part: format!("column {n}"),
            lost: 0.05,
            told: "a range".into(),
            exclusive: n != 7,
            moved: Some(0.25),
            distribution: vec![crate::Bar { label: "<a>".into(), before: 0.5, after: 0.25 }],
        })
        .collect();
    report.words.truthful = "Every record is true.";
    report.metric_notes =
        vec![crate::MetricNote { name: "ncp", summary: "how wide", more_is_better: false }];
    let page = render_private(&report);
    assert_eq!(check_well_formed(&page), Ok(()));
    for text in [
        "made 2026-11-18 13:00 UTC",
        "<summary>470 more</summary>",
        "The release still tells most of 500 columns.",
        "Values aren&#39;t exclusive in column 7",
        "Every record is true.",
        "<td>less is better</td><td>how wide</td>",
        "<a href=\"#kept\">What can still be told</a>",
        "440 more distributions are in the JSON report",
        "&lt;a&gt;",
    ] {
        assert!(page.contains(text), "{text}");
    }
    // No braces of JSON outside the style sheet and the job, which is a file of the user.
    let body = page.split("</style>").nth(1).unwrap();
    let body = body.split("<section id=\"job\"").next().unwrap();
    assert!(!body.contains("{&quot;") && !body.contains("{\""), "raw JSON is on the page");
}
