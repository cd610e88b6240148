//! Reads paths from a table with a row for each point.

use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::dataset::Canonical;
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, FastSet, Result};
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
    let all_steps = || {
        places.codes.iter().zip(times.codes.iter()).map(|(place, time)| Step {
            time: rank_of[time as usize],
            place: place_of[place as usize],
        })
    };
    let different: FastSet<Step> = all_steps().collect();
    let mut steps: Vec<Step> = different.into_iter().collect();
    steps.sort_unstable();
    let code_of: FastMap<Step, u32> = steps.iter().copied().zip(0..).collect();
    // A row is a record above and the code of its step below: 8 bytes of which the order is that of
    // the paths, since codes ascend with steps.
    let row_of = |record: u32, step: Step| u64::from(record) << 32 | u64::from(code_of[&step]);
    let of_row = || ids.codes.iter().map(|id| record_of[id as usize]);
    let mut rows: Vec<u64> = Vec::with_capacity(table.n_rows);
    rows.extend(of_row().zip(all_steps()).map(|(record, step)| row_of(record, step)));
    let in_order = rows.is_sorted_by(|one, other| one < other);
    rows.sort_unstable();
    let step_of = |row: u64| steps[(row & u64::from(u32::MAX)) as usize];
    let is_two = |two: &[u64]| {
        let [one, other] = *two else { return false };
        one >> 32 == other >> 32 && one != other && step_of(one).time == step_of(other).time
    };
    let at_two = rows.windows(2).find(|two| is_two(two));
    if let Some(two) = at_two.filter(|_| !is_coarser && !several) {
        let place = |wanted: u64| {
            let mut all = of_row().zip(all_steps());
            all.position(|(record, step)| row_of(record, step) == wanted).unwrap_or(0)
        };
        return Err(at_two_places(place(two[0]), place(two[1])));
    }
    let several = at_two.is_some();
    let n_rows = rows.len();
    let is_number = |(code, text): (usize, &str)| text == (code + 1).to_string();
    let is_numbered = ids.values.iter().enumerate().all(is_number);
    let columns = |names: &[String]| {
        let read =
            |name: &String| sensitive_of(column(&table, name)?, of_row(), n_records, missing);
        names.iter().map(read).collect::<Result<Vec<_>>>()
    };
    let (sensitive, quasi) = (columns(&beside.sensitive)?, columns(&beside.quasi)?);
    let (header, source): (Vec<(String, Option<String>)>, _) = (
        table.columns.iter().map(|one| (one.name.clone(), one.native_type.clone())).collect(),
        table.source,
    );
    // The texts of the file aren't needed any more, and paths take their room.
    drop(table.columns);
    rows.dedup();
    let repeated = (n_rows - rows.len()) as u64;
    let mut paths = Paths::with_room(n_records, rows.len());
    let mut rest = &rows[..];
    for record in 0..n_records as u64 {
        let end = rest.partition_point(|row| row >> 32 <= record);
        paths.push(rest[..end].iter().map(|row| (row & u64::from(u32::MAX)) as u32));
        rest = &rest[end..];
    }
    drop(rows);
    // Types of the file stay, except that ids become numbers and bins are texts.
    let native = |name: &str, native: &Option<String>| match name {
        _ if name == id => None,
        _ if name == time && (every.is_some() || zone.is_some()) => None,
        _ if name == place && hierarchy.is_some() => None,
        _ => native.clone(),
    };
    let columns = header
        .iter()
        .map(|(name, native_type)| (name.clone(), native(name, native_type)))
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
        source,
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
fn at_two_places(row: usize, other: usize) -> Error {
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
    of_row: impl Iterator<Item = u32>,
    n_records: usize,
    missing: &[String],
) -> Result<SensitiveColumn> {
    const NONE: u32 = u32::MAX;
    let mut of_record = vec![NONE; n_records];
    for (row, (record, code)) in (1..).zip(of_row.zip(column.codes.iter())) {
        let known = &mut of_record[record as usize];
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
