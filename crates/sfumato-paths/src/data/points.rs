//! Reads paths from a table with a row for each point.

use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::dataset::Canonical;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_io::ReadOptions;

use super::layout::Layout;
use super::read::{Beside, Loaded, ReleaseLayout, column, missing_of, refuse_missing, row_of};
use super::{PathData, Paths, SensitiveColumn, Step, clock};

/// The paths of a table.
pub fn of_table(
    table: RawTable,
    parents: &Parents,
    layout: &Layout,
    beside: &Beside,
    missing: &[String],
) -> Result<Loaded> {
    let Layout::Points { id, place, time, every, several, hierarchy, zone } = layout else {
        return Err(Error::internal("a table of points has another layout"));
    };
    let (ids, places) = (column(&table, id)?, column(&table, place)?);
    let times = column(&table, time)?;
    for column in [ids, places, times] {
        refuse_missing(column, &missing_of(column, missing))?;
    }
    let (record_of, n_records) = records_of(ids);
    let (rank_of, labels) = times_of(times, *every, zone.as_deref())?;
    let (place_of, names) = match hierarchy {
        None => by_name(places.values.iter()),
        Some(_) => above(places, parents)?,
    };
    let is_coarser = every.is_some() || hierarchy.is_some();
    let mut rows: Vec<(u32, Step, u32)> = Vec::with_capacity(table.n_rows);
    let codes = ids.codes.iter().zip(places.codes.iter().zip(times.codes.iter()));
    for (row, (id, (place, time))) in (0..).zip(codes) {
        let step = Step { time: rank_of[time as usize], place: place_of[place as usize] };
        rows.push((record_of[id as usize], step, row));
    }
    let of_row: Vec<u32> = rows.iter().map(|row| row.0).collect();
    let in_order = rows.windows(2).all(|two| (two[0].0, two[0].1) < (two[1].0, two[1].1));
    rows.sort_unstable();
    let is_two = |two: &[(u32, Step, u32)]| {
        let [one, other] = two else { return false };
        one.0 == other.0 && one.1.time == other.1.time && one.1.place != other.1.place
    };
    let at_two = rows.windows(2).find(|two| is_two(two));
    if let Some(two) = at_two.filter(|_| !is_coarser && !several) {
        return Err(at_two_places(two[0].2, two[1].2));
    }
    let several = at_two.is_some();
    let n_rows = rows.len();
    rows.dedup_by_key(|row| (row.0, row.1));
    let repeated = (n_rows - rows.len()) as u64;
    let mut steps: Vec<Step> = rows.iter().map(|row| row.1).collect();
    steps.sort_unstable();
    steps.dedup();
    let code_of: FastMap<Step, u32> = steps.iter().copied().zip(0..).collect();
    let mut paths = Paths::new();
    let mut rest = &rows[..];
    for record in 0..n_records as u32 {
        let end = rest.iter().position(|row| row.0 != record).unwrap_or(rest.len());
        paths.push(rest[..end].iter().map(|row| code_of[&row.1]));
        rest = &rest[end..];
    }
    let is_number = |(code, text): (usize, &str)| text == (code + 1).to_string();
    let is_numbered = ids.values.iter().enumerate().all(is_number);
    let columns = |names: &[String]| {
        let read = |name: &String| sensitive_of(column(&table, name)?, &of_row, n_records, missing);
        names.iter().map(read).collect::<Result<Vec<_>>>()
    };
    let (sensitive, quasi) = (columns(&beside.sensitive)?, columns(&beside.quasi)?);
    // Types of the file stay, except that ids become numbers and bins are texts.
    let native = |name: &str, native: &Option<String>| match name {
        _ if name == id => None,
        _ if name == time && (every.is_some() || zone.is_some()) => None,
        _ if name == place && hierarchy.is_some() => None,
        _ => native.clone(),
    };
    let columns = table
        .columns
        .iter()
        .map(|column| (column.name.clone(), native(&column.name, &column.native_type)))
        .collect();
    let layout = Layout::Points {
        id: id.clone(),
        place: place.clone(),
        time: time.clone(),
        every: None,
        several,
        hierarchy: None,
        zone: None,
    };
    Ok(Loaded {
        data: PathData { places: names, times: labels, steps, paths, sensitive, quasi },
        tracks: None,
        regions: None,
        release: ReleaseLayout { layout, columns },
        generalized: Vec::new(),
        repeated,
        in_order,
        is_numbered,
        source: table.source,
    })
}

/// The record of each code of an id, and the number of records. Spellings of one id are one record:
/// two records would be two people.
pub fn records_of(ids: &RawColumn) -> (Vec<u32>, usize) {
    match Canonical::default().number(&ids.values) {
        Some(alike) => (alike.of_text, alike.first.len()),
        None => ((0..ids.values.len() as u32).collect(), ids.values.len()),
    }
}

/// The rank of the time of each code, and the times as they are published, ascending.
fn times_of(
    times: &RawColumn,
    every: Option<f64>,
    zone: Option<&str>,
) -> Result<(Vec<u32>, Vec<String>)> {
    let (written, keys) = clock::read_all(times.values.iter()).map_err(|code| {
        let row = row_of(times, code as u32);
        Error::input(format!("row {row} has no time in column '{}'", times.name)).hint(
            "times are numbers, or all written as 2008-10-23 05:53:05, with or without a zone",
        )
    })?;
    let (written, keys) = clock::in_zone(zone, written, keys)?;
    let keys: Vec<f64> = match every {
        Some(every) => keys.into_iter().map(|key| clock::bin(key, every)).collect(),
        None => keys,
    };
    // Of several spellings of one time the first is published.
    let mut sorted: Vec<(f64, usize)> = keys.iter().copied().zip(0..).collect();
    sorted.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    sorted.dedup_by(|a, b| a.0 == b.0);
    let label = |(key, code): &(f64, usize)| match every.is_some() || zone.is_some() {
        true => clock::spell(*key, written),
        false => times.values.get(*code as u32).trim().to_string(),
    };
    let labels = sorted.iter().map(label).collect();
    let rank = |key: &f64| sorted.partition_point(|(other, _)| other.total_cmp(key).is_lt()) as u32;
    Ok((keys.iter().map(rank).collect(), labels))
}

/// What each place is a part of, by its name.
pub type Parents = FastMap<String, String>;

/// The code of what each place is a part of, and the names of these in alphabetical order.
fn above(places: &RawColumn, parents: &Parents) -> Result<(Vec<u32>, Vec<String>)> {
    let used = places.codes.counts(places.values.len());
    let mut parent_of: Vec<&str> = Vec::with_capacity(places.values.len());
    for (code, name) in (0..).zip(places.values.iter()) {
        match parents.get(name.trim()) {
            Some(parent) => parent_of.push(parent),
            None if used[code as usize] == 0 => parent_of.push(""),
            None => {
                let row = row_of(places, code);
                return Err(Error::input(format!(
                    "row {row} has a place that the hierarchy hasn't"
                ))
                .hint("every place must be in the first column of the hierarchy's file"));
            }
        }
    }
    let mut names: Vec<&str> = parent_of.clone();
    names.sort_unstable();
    names.dedup();
    let code = |parent: &&str| names.partition_point(|name| name < parent) as u32;
    let of_place = parent_of.iter().map(code).collect();
    Ok((of_place, names.into_iter().map(String::from).collect()))
}

/// Read what each place is a part of, at a level.
pub fn read_parents(file: &str, level: usize, observer: &dyn Observer) -> Result<Parents> {
    let options = ReadOptions { header: Some(false), ..ReadOptions::default() };
    let table = sfumato_io::read(file, &options, &mut sfumato_io::select_all, observer)?;
    let (Some(first), Some(parents)) = (table.columns.first(), table.columns.get(level)) else {
        return Err(Error::params(format!("the hierarchy has no level {level}"))
            .in_file(file)
            .hint(format!("level 1 to {} are there", table.columns.len().saturating_sub(1))));
    };
    let text = |column: &RawColumn, row: usize| {
        column.values.get(column.codes.get(row)).trim().to_string()
    };
    Ok((0..table.n_rows).map(|row| (text(first, row), text(parents, row))).collect())
}

/// The error about a record that is at two places at one time.
fn at_two_places(row: u32, other: u32) -> Error {
    let (first, second) = (row.min(other) + 1, row.max(other) + 1);
    Error::input(format!(
        "rows {first} and {second} say that somebody is at two places at one time"
    ))
    .hint(
        "put times into bins with every=.. in --paths, say several=true, or leave one of the rows \
         out",
    )
}

/// The place of each name in alphabetical order, and the names in that order: the same names are
/// ordered alike in every file.
pub fn by_name<'a>(names: impl Iterator<Item = &'a str>) -> (Vec<u32>, Vec<String>) {
    let mut sorted: Vec<(&str, usize)> = names.zip(0..).collect();
    sorted.sort_unstable();
    let mut place_of = vec![0; sorted.len()];
    for (place, (_, code)) in (0..).zip(&sorted) {
        place_of[*code] = place;
    }
    (place_of, sorted.into_iter().map(|(name, _)| name.to_string()).collect())
}

/// A sensitive column: each record has the same value in all of its rows.
pub fn sensitive_of(
    column: &RawColumn,
    of_row: &[u32],
    n_records: usize,
    missing: &[String],
) -> Result<SensitiveColumn> {
    const NONE: u32 = u32::MAX;
    let mut of_record = vec![NONE; n_records];
    for (row, (record, code)) in (1..).zip(of_row.iter().zip(column.codes.iter())) {
        let known = &mut of_record[*record as usize];
        if *known != NONE && *known != code {
            return Err(Error::input(format!(
                "row {row}: a path has another value in column '{}' than in an earlier row",
                column.name
            ))
            .hint("a column beside a path has one value for each path"));
        }
        *known = code;
    }
    Ok(SensitiveColumn {
        name: column.name.clone(),
        values: column.values.iter().map(String::from).collect(),
        is_missing: missing_of(column, missing),
        of_record,
        native_type: column.native_type.clone(),
    })
}
