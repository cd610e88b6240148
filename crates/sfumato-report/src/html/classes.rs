//! Renders class sizes before and after: a histogram and its numbers.

use super::page::{Cell, Page};
use crate::classes::bucket_bounds;
use crate::numbers::{count, percent, quantity};
use crate::svg::{self, Caption, Scale, Series};
use crate::{Bucket, Classes, Report};

/// Render the content of the section.
pub(super) fn classes(page: &mut Page, report: &Report) {
    page.paragraph(
        "A class is a set of records that look alike on the quasi-identifiers. Each column shows \
            how many of the \
         records live in classes of that size; records in classes of 1 can be singled out.",
    );
    if report.words.counted == "people" {
        page.paragraph(
            "A subject column was named, so sizes count people: where this section says records, \
                read people in a class. \
             A person may be in several classes.",
        );
    }
    let sides: Vec<(&str, &str, &Classes)> =
        [("before", "before", &report.classes_before), ("after", "after", &report.classes)]
            .into_iter()
            .filter_map(|(name, class, classes)| {
                classes.as_ref().map(|classes| (name, class, classes))
            })
            .collect();
    let buckets = buckets_of(&sides);
    let share = |classes: &Classes, at: (u64, u64)| {
        let inside =
            classes.histogram.iter().find(|b| (b.from, b.to) == at).map_or(0, |b| b.records);
        inside as f64 / classes.records().max(1) as f64
    };
    let series: Vec<Series<'_>> = sides
        .iter()
        .map(|&(name, class, classes)| Series {
            name,
            class,
            values: buckets.iter().map(|&at| share(classes, at)).collect(),
        })
        .collect();
    let labels: Vec<String> = buckets.iter().map(|&at| bucket_label(at)).collect();
    let caption = Caption {
        id: "class-sizes",
        title: "Share of the records by the size of their class",
        description: "Grouped columns, one group for each range of class sizes, hatched for the \
            original and solid \
                      for the release; the table below has the numbers.",
    };
    let scale = Scale { top: None, format: percent };
    page.markup(&svg::columns(
        &caption,
        &labels,
        "records in the class (values in % of all records)",
        &series,
        &scale,
    ));
    page.table(
        "Class sizes in numbers",
        &[
            ("", false),
            ("Classes", true),
            ("Smallest", true),
            ("Mean", true),
            ("Largest", true),
            ("Alone", true),
        ],
        &sides.iter().map(|(name, _, classes)| class_row(name, classes)).collect::<Vec<_>>(),
    );
    bucket_table(page, &buckets, &sides);
}

/// The buckets that are filled before or after, and the empty ones between them, since gaps belong
/// to the picture.
fn buckets_of(sides: &[(&str, &str, &Classes)]) -> Vec<(u64, u64)> {
    let mut buckets: Vec<(u64, u64)> = sides
        .iter()
        .flat_map(|(_, _, classes)| &classes.histogram)
        .map(|b| (b.from, b.to))
        .collect();
    let scheme = bucket_bounds();
    // A report made elsewhere may have buckets of its own; then only those are shown.
    if buckets.iter().all(|bucket| scheme.contains(bucket)) {
        let first = buckets.iter().min().copied();
        let last = buckets.iter().max().copied();
        buckets.extend(
            scheme.into_iter().filter(|&bucket| Some(bucket) >= first && Some(bucket) <= last),
        );
    }
    buckets.sort_unstable();
    buckets.dedup();
    buckets
}

fn class_row(name: &str, classes: &Classes) -> Vec<Cell> {
    vec![
        Cell::Head(name.into()),
        Cell::Num(count(classes.count)),
        Cell::Num(count(classes.min)),
        Cell::Num(quantity(classes.mean)),
        Cell::Num(count(classes.max)),
        Cell::Num(count(classes.uniques)),
    ]
}

fn bucket_table(page: &mut Page, buckets: &[(u64, u64)], sides: &[(&str, &str, &Classes)]) {
    let names: Vec<(String, String)> = sides
        .iter()
        .map(|(name, _, _)| (format!("Classes {name}"), format!("Records {name}")))
        .collect();
    let mut headings = vec![("Class size", false)];
    for (classes, records) in &names {
        headings.extend([(classes.as_str(), true), (records.as_str(), true)]);
    }
    let rows: Vec<Vec<Cell>> = buckets
        .iter()
        .map(|&at| {
            let mut row = vec![Cell::Head(bucket_label(at))];
            for (_, _, classes) in sides {
                let none = Bucket { from: at.0, to: at.1, classes: 0, records: 0 };
                let bucket =
                    classes.histogram.iter().find(|b| (b.from, b.to) == at).unwrap_or(&none);
                row.extend([Cell::Num(count(bucket.classes)), Cell::Num(count(bucket.records))]);
            }
            row
        })
        .collect();
    page.table("Classes by size", &headings, &rows);
}

fn bucket_label((from, to): (u64, u64)) -> String {
    match to {
        _ if from == to => count(from),
        u64::MAX => format!("{}+", count(from)),
        _ => format!("{}\u{2013}{}", short(from), short(to)),
    }
}

/// A bound for a label. Bounds above ten thousand are written in thousands, so that labels don't
/// overlap.
fn short(value: u64) -> String {
    if value < 10_000 { count(value) } else { format!("{}k", count(value.div_ceil(1000))) }
}
