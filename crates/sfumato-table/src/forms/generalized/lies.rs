//! Recodings that aren't true or don't protect: the verifier of generalized tables must see through
//! each. Only tests tell them.

use sfumato_core::dataset::{Column, Table};
use sfumato_core::recoding::{Boxes, MatchedBoxes, Recoding, SUPPRESSED, Value};
use sfumato_engine::lie::{Lie, Subject};

use super::anonymize::Decided;
use crate::kind::TableData;

/// Every lie that the verifier must see through.
pub fn lies() -> Vec<Lie<TableData, Decided>> {
    vec![
        Lie {
            name: "every record is a class of its own",
            subject: Subject::Privacy,
            tell: |data, decided| replace(data, decided, alone),
        },
        Lie {
            name: "a class has a value that a record of it hasn't",
            subject: Subject::Cell,
            tell: |data, decided| replace(data, decided, other_value),
        },
        Lie {
            name: "a record is in a class that isn't its own",
            subject: Subject::Row,
            tell: |data, decided| replace(data, decided, other_class),
        },
        Lie {
            name: "a record is left out",
            subject: Subject::Row,
            tell: |data, decided| replace(data, decided, left_out),
        },
        Lie {
            name: "records match the regions of others",
            subject: Subject::Match,
            tell: |data, decided| replace(data, decided, other_matches),
        },
    ]
}

/// A recoding in place of another; nothing where there is nothing to lie about.
type Lying = fn(&Table, &dyn Recoding) -> Option<Box<dyn Recoding>>;

fn replace(data: &TableData, decided: &mut Decided, lying: Lying) -> bool {
    match lying(&data.encoded.table, decided.recoding.as_ref()) {
        Some(lie) => {
            decided.recoding = lie;
            true
        }
        None => false,
    }
}

/// The value that stands for one code alone.
fn exact(column: &Column, code: u32) -> Value {
    Value::covering(column, code, code + u32::from(code != column.domain.missing()), false)
}

fn regions(recoding: &dyn Recoding) -> Vec<Vec<Value>> {
    let region = |class: usize| {
        (0..recoding.n_columns()).map(|quasi| recoding.value(class as u32, quasi)).collect()
    };
    (0..recoding.n_classes()).map(region).collect()
}

/// Regions and classes, with the matches that there were.
fn boxes(
    regions: Vec<Vec<Value>>,
    classes: Vec<u32>,
    before: &dyn Recoding,
) -> Option<Box<dyn Recoding>> {
    let boxes = Boxes::new(before.n_columns(), regions.into_iter(), classes).ok()?;
    Some(match before.matches() {
        None => Box::new(boxes),
        Some(matches) => Box::new(MatchedBoxes::new(boxes, matches.clone()).ok()?),
    })
}

fn alone(table: &Table, recoding: &dyn Recoding) -> Option<Box<dyn Recoding>> {
    let quasi = table.quasi();
    let region = |row: usize| -> Vec<Value> {
        quasi.iter().map(|column| exact(column, column.codes.get(row))).collect()
    };
    let regions = (0..table.n_rows).map(region);
    let classes = (0..table.n_rows as u32).collect();
    Some(Box::new(Boxes::new(recoding.n_columns(), regions, classes).ok()?))
}

/// The first record that is published.
fn published(recoding: &dyn Recoding) -> Option<usize> {
    recoding.class_of_row().iter().position(|class| *class != SUPPRESSED)
}

fn other_value(table: &Table, recoding: &dyn Recoding) -> Option<Box<dyn Recoding>> {
    let row = published(recoding)?;
    let quasi = table.quasi();
    let place = quasi.iter().position(|column| column.domain.len() > 1)?;
    let class = recoding.class_of_row()[row] as usize;
    let mut regions = regions(recoding);
    let code = quasi[place].codes.get(row);
    regions[class][place] = exact(quasi[place], u32::from(code == 0));
    boxes(regions, recoding.class_of_row().to_vec(), recoding)
}

fn other_class(table: &Table, recoding: &dyn Recoding) -> Option<Box<dyn Recoding>> {
    let row = published(recoding)?;
    let quasi = table.quasi();
    let regions = regions(recoding);
    let is_outside = |region: &Vec<Value>| {
        let mut cells = region.iter().zip(&quasi);
        cells.any(|(value, column)| !value.codes(column).contains(&column.codes.get(row)))
    };
    let other = regions.iter().position(is_outside)?;
    let mut classes = recoding.class_of_row().to_vec();
    classes[row] = other as u32;
    boxes(regions, classes, recoding)
}

fn left_out(_: &Table, recoding: &dyn Recoding) -> Option<Box<dyn Recoding>> {
    let mut classes = recoding.class_of_row().to_vec();
    classes[published(recoding)?] = SUPPRESSED;
    boxes(regions(recoding), classes, recoding)
}

fn other_matches(table: &Table, recoding: &dyn Recoding) -> Option<Box<dyn Recoding>> {
    let matches = recoding.matches()?;
    let mut order: Vec<u32> = (0..table.n_rows as u32).collect();
    order.rotate_left(table.n_rows.min(7));
    let classes = recoding.class_of_row().to_vec();
    let boxes = Boxes::new(recoding.n_columns(), regions(recoding).into_iter(), classes).ok()?;
    Some(Box::new(MatchedBoxes::new(boxes, matches.reordered(&order)).ok()?))
}
