//! What a file publishes, by its texts alone.

use sfumato_core::chain::{Published, PublishedClass};
use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::joined::Sheet;
use sfumato_core::{Error, FastMap, Result};

/// What stands between the texts of several sensitive columns that are one value together.
pub(super) const BETWEEN: char = '\u{1f}';

/// Who says who is who in a file, for the holder alone.
#[derive(Clone, Copy)]
pub enum Who<'a> {
    /// Nobody.
    Nobody,
    /// A column of the file. Where it is empty, the record is nobody's.
    Column(&'a str),
    /// Whoever knows the rows by their places.
    Rows(&'a dyn Fn(usize) -> Option<String>),
}

impl<'a> Who<'a> {
    /// The subject column, if there is one.
    pub fn in_column(subject: Option<&'a str>) -> Self {
        subject.map_or(Who::Nobody, Who::Column)
    }
}

/// The classes of a file that was read, by quasi and sensitive columns.
pub fn published(
    raw: &RawTable,
    (quasi, sensitive): (&[String], &[String]),
    who: Who<'_>,
    name: &str,
) -> Result<Published> {
    let find = |column: &str| {
        raw.column(column).ok_or_else(|| {
            Error::input(format!("the column '{column}' isn't there"))
                .in_file(name)
                .hint("releases over time have the same columns")
        })
    };
    let columns = quasi.iter().map(|column| find(column)).collect::<Result<Vec<_>>>()?;
    let secrets = sensitive.iter().map(|column| find(column)).collect::<Result<Vec<_>>>()?;
    let subject = match who {
        Who::Column(subject) => Some(find(subject)?),
        Who::Nobody | Who::Rows(_) => None,
    };
    let mut found =
        Published { name: name.into(), columns: quasi.to_vec(), ..Published::default() };
    found.sensitive = sensitive.to_vec();
    found.texts = columns.iter().map(|column| texts(column)).collect();
    let mut classes: FastMap<Vec<u32>, u32> = FastMap::default();
    let mut values: FastMap<Vec<u32>, u32> = FastMap::default();
    let mut people = Vec::new();
    let mut counts: Vec<FastMap<u32, u64>> = Vec::new();
    for row in 0..raw.n_rows {
        let cells: Vec<u32> = columns.iter().map(|column| column.codes.get(row)).collect();
        let next = classes.len() as u32;
        let class = *classes.entry(cells.clone()).or_insert(next);
        if class == next {
            found.classes.push(PublishedClass { cells, values: Vec::new() });
            counts.push(FastMap::default());
        }
        let codes: Vec<u32> = secrets.iter().map(|column| column.codes.get(row)).collect();
        let next = values.len() as u32;
        let value = *values.entry_ref(&codes).or_insert_with(|| {
            let texts: Vec<&str> = secrets.iter().map(|column| text_of(column, row)).collect();
            found.values.push(together(&texts));
            next
        });
        *counts[class as usize].entry(value).or_default() += 1;
        let of_column = |subject| Some(text_of(subject, row).to_string()).filter(|t| !t.is_empty());
        let person = match who {
            Who::Rows(name) => name(row),
            Who::Nobody | Who::Column(_) => subject.and_then(of_column),
        };
        people.extend(person.map(|person| (person, class)));
    }
    for (class, counts) in found.classes.iter_mut().zip(counts) {
        class.values = counts.into_iter().collect();
        class.values.sort_unstable();
    }
    found.people = (!matches!(who, Who::Nobody)).then_some(people);
    Ok(found)
}

/// Several sensitive values as one.
pub fn together<S: AsRef<str>>(texts: &[S]) -> String {
    let mut all = String::new();
    for (at, text) in texts.iter().enumerate() {
        if at > 0 {
            all.push(BETWEEN);
        }
        all.push_str(text.as_ref());
    }
    all
}

/// The texts of a column; null is the empty one.
pub(super) fn texts(column: &RawColumn) -> Vec<String> {
    let text = |code: u32| match Some(code) == column.null {
        true => String::new(),
        false => column.values.get(code).to_string(),
    };
    (0..column.values.len() as u32).map(text).collect()
}

fn text_of(column: &RawColumn, row: usize) -> &str {
    match column.codes.get(row) {
        code if Some(code) == column.null => "",
        code => column.values.get(code),
    }
}

/// Texts in their order, and the new place of each.
fn sorted(texts: &[String]) -> (Vec<String>, Vec<u32>) {
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.sort_by_key(|at| &texts[*at as usize]);
    let mut place = vec![0; texts.len()];
    (0u32..).zip(&order).for_each(|(new, old)| place[*old as usize] = new);
    (order.iter().map(|at| texts[*at as usize].clone()).collect(), place)
}

fn sheet_in_order(sheet: &Sheet) -> Sheet {
    let columns: Vec<(Vec<String>, Vec<u32>)> =
        sheet.texts.iter().map(|texts| sorted(texts)).collect();
    let moved = |(row, n): &(Vec<u32>, u64)| {
        let cells = row.iter().zip(&columns).map(|(cell, (_, place))| place[*cell as usize]);
        (cells.collect(), *n)
    };
    let mut rows: Vec<(Vec<u32>, u64)> = sheet.rows.iter().map(moved).collect();
    rows.sort_unstable();
    let texts = columns.into_iter().map(|(texts, _)| texts).collect();
    Sheet { columns: sheet.columns.clone(), texts, rows }
}

/// Leave out what the order of a file says: texts, values, classes and people in the order of their
/// texts.
pub fn in_order(published: &Published) -> Published {
    let columns: Vec<(Vec<String>, Vec<u32>)> =
        published.texts.iter().map(|texts| sorted(texts)).collect();
    let (values, value_at) = sorted(&published.values);
    let moved = |class: &PublishedClass| {
        let cells = class.cells.iter().zip(&columns);
        let mut values: Vec<(u32, u64)> =
            class.values.iter().map(|(value, n)| (value_at[*value as usize], *n)).collect();
        values.sort_unstable();
        PublishedClass {
            cells: cells.map(|(cell, (_, place))| place[*cell as usize]).collect(),
            values,
        }
    };
    let classes: Vec<PublishedClass> = published.classes.iter().map(moved).collect();
    let mut order: Vec<u32> = (0..classes.len() as u32).collect();
    order.sort_by_key(|at| (&classes[*at as usize].cells, &classes[*at as usize].values));
    let mut place = vec![0u32; classes.len()];
    (0u32..).zip(&order).for_each(|(new, old)| place[*old as usize] = new);
    let people = published.people.as_ref().map(|people| {
        let moved = people.iter().map(|(who, class)| (who.clone(), place[*class as usize]));
        let mut people: Vec<(String, u32)> = moved.collect();
        people.sort();
        people
    });
    Published {
        name: published.name.clone(),
        columns: published.columns.clone(),
        texts: columns.into_iter().map(|(texts, _)| texts).collect(),
        values,
        classes: order.iter().map(|at| classes[*at as usize].clone()).collect(),
        labels: published.labels.clone(),
        people,
        sensitive: published.sensitive.clone(),
        sheet: published.sheet.as_ref().map(sheet_in_order),
    }
}
