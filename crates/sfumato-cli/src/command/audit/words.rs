//! What an audit says on the terminal.

use std::fmt::Write as _;

use sfumato::audit::Audit as Audited;
use sfumato::report::numbers::{count, percent, quantity};
use sfumato::report::{Change, Classes, Guarantee, Ordered};
use sfumato::sets::forms::bitmaps::BitmapAudit;
use sfumato::sets::forms::buckets::BucketAudit;
use sfumato::sets::forms::subsets::SetAudit;

pub(super) fn bucket_words(audited: &BucketAudit) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "release    {} ({} records)", audited.path, count(audited.rows));
    let _ = writeln!(
        text,
        "groups     {}, smallest {}, mean {}, largest {}; items that aren't sensitive are published as they are",
        count(audited.groups),
        count(audited.sizes.min),
        quantity(audited.sizes.mean),
        count(audited.sizes.max)
    );
    let _ = writeln!(
        text,
        "sensitive  {} items, {} in all",
        count(audited.sensitive_items),
        count(audited.sensitive_instances)
    );
    if audited.checked_against_original {
        let _ = writeln!(text, "original   rows and counts are those of it");
    }
    let degree = audited.privacy_degree.map_or("none: no group has a sensitive item".into(), quantity);
    let _ = writeln!(text, "achieved   privacy degree {degree}");
    required(&mut text, &audited.guarantees);
    text
}

pub(super) fn set_words(audited: &SetAudit) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "file       {} ({} records, {} items in all)",
        audited.path,
        count(audited.rows),
        count(audited.instances)
    );
    class_line(&mut text, &audited.classes);
    if audited.empty > 0 {
        let _ = writeln!(text, "           {} records have no items", count(audited.empty));
    }
    let _ = writeln!(text, "least");
    for (what, least) in &audited.achieved {
        let _ = writeln!(text, "  {what}: {}", count(*least));
    }
    risks_and_guarantees(&mut text, &audited.risks, &audited.guarantees);
    text
}

fn group_line(text: &mut String, groups: &Classes, form: &str) {
    let _ = writeln!(
        text,
        "buckets    {form}: {} groups, smallest {}, mean {}, largest {}; quasi values are published as they are",
        count(groups.count),
        count(groups.min),
        quantity(groups.mean),
        count(groups.max)
    );
}

fn class_line(text: &mut String, classes: &Classes) {
    let _ = writeln!(
        text,
        "classes    {}, smallest {}, mean {}, largest {}; {} uniques",
        count(classes.count),
        count(classes.min),
        quantity(classes.mean),
        count(classes.max),
        count(classes.uniques)
    );
}

pub(super) fn table_words(audited: &Audited) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "file       {} ({} rows)", audited.path, count(audited.rows));
    let _ = writeln!(text, "quasi      {}", audited.quasi.join(", "));
    if !audited.sensitive.is_empty() {
        let _ = writeln!(text, "sensitive  {}", audited.sensitive.join(", "));
    }
    match &audited.buckets {
        Some(form) => group_line(&mut text, &audited.classes, form),
        None => class_line(&mut text, &audited.classes),
    }
    if audited.fully_suppressed > 0 {
        let _ =
            writeln!(text, "           {} rows are * in every quasi column", count(audited.fully_suppressed));
    }
    let _ = writeln!(text, "achieved");
    for achieved in &audited.achieved {
        let on = achieved.column.as_ref().map_or(String::new(), |column| format!(" on {column}"));
        let value = achieved.value.as_ref().map_or("none".into(), figure);
        let _ = writeln!(text, "  {:<46} {} = {value}", format!("{}{on}", achieved.model), achieved.measure);
    }
    risks_and_guarantees(&mut text, &audited.risks, &audited.guarantees);
    text
}

pub(super) fn bitmap_words(audited: &BitmapAudit) -> String {
    let mut text = String::new();
    let _ = writeln!(
        text,
        "release    {} ({} rows, {} items, {} of them sensitive)",
        audited.path,
        count(audited.rows),
        count(audited.items + audited.sensitive_items),
        count(audited.sensitive_items)
    );
    let _ = writeln!(
        text,
        "doubt      {} items a row, {} in doubt, at most {} of them wrong, on average; the largest threshold is {}; {} rows are exact",
        quantity(audited.mean_base),
        quantity(audited.mean_distance),
        quantity(audited.mean_threshold),
        audited.largest_threshold,
        count(audited.exact_rows)
    );
    let _ = match audited.is_true {
        None => writeln!(text, "truth      not checked: name the data it was made from with --original"),
        Some(true) => writeln!(
            text,
            "truth      each record can be given a row of its own that it is a possible world of, with its sensitive items"
        ),
        Some(false) => writeln!(
            text,
            "truth      NOT TRUE: some record is no possible world of any row that others leave to it"
        ),
    };
    required(&mut text, &audited.guarantees);
    text
}

fn risks_and_guarantees(text: &mut String, risks: &Ordered<Change>, guarantees: &[Guarantee]) {
    let _ = writeln!(text, "risks");
    for (name, change) in risks.iter() {
        let show = |value: Option<f64>| value.map_or("-".to_string(), percent);
        let before =
            if change.before.is_some() { format!("{} before, ", show(change.before)) } else { String::new() };
        let _ = writeln!(text, "  {:<46} {before}{}", name.replace('_', " "), show(change.after));
    }
    required(text, guarantees);
}

fn required(text: &mut String, guarantees: &[Guarantee]) {
    for guarantee in guarantees {
        let verdict = if guarantee.holds { "holds" } else { "DOES NOT HOLD" };
        let figure = |n: &Option<serde_json::Number>| n.as_ref().map_or("none".into(), figure);
        let _ = writeln!(
            text,
            "required   {} {} {} {}: achieved {}: {verdict}",
            guarantee.model,
            guarantee.measure,
            guarantee.bound.words(),
            figure(&guarantee.required),
            figure(&guarantee.achieved)
        );
    }
}

/// A figure for people: whole, or a few digits.
fn figure(number: &serde_json::Number) -> String {
    match (number.as_u64(), number.as_f64()) {
        (Some(whole), _) => count(whole),
        (None, Some(value)) => quantity(value),
        _ => number.to_string(),
    }
}
