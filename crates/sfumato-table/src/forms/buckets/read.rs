//! Reads a bucket release, whoever made it, from its files alone. Files that don't fit together are
//! refused.
//!
//! Linked tables are converted to a permuted one: within a group, any order of its sensitive values
//! states the same.

use std::path::Path;

use sfumato_core::column::{Codes, RawColumn, RawTable};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::manifest::{MANIFEST, Manifest, ManifestFile};
use sfumato_io::{ReadOptions, read, select_all};

use super::COUNT;
use crate::job::InputSpec;
use sfumato_engine::input::read_options;

/// A bucket release in memory. Rows of one group have its sensitive values in any order.
pub struct BucketTable {
    /// The columns, without the group.
    pub raw: RawTable,
    /// The group of each row, from 0.
    pub group_of_row: Vec<u32>,
    /// How many rows each group has.
    pub sizes: Vec<u64>,
    /// The names of the sensitive columns.
    pub sensitive: Vec<String>,
    /// `linked` or `permuted`.
    pub layout: &'static str,
}

/// Whether a path is a release of linked tables.
pub fn is_linked(path: &str) -> bool {
    Path::new(path).join(MANIFEST).is_file()
}

/// Read linked tables: a folder with its manifest.
pub fn read_linked(path: &str, observer: &dyn Observer) -> Result<BucketTable> {
    let folder = Path::new(path);
    let manifest = Manifest::read(folder)?;
    if manifest.kind != "table" {
        let message = format!("this is a release of the kind {}, not of a table", manifest.kind);
        return Err(Error::unsupported(message).in_file(path));
    }
    let (group, named) = (manifest.detail("group")?, manifest.details_of("sensitive"));
    let n_groups = manifest.details.get("groups").and_then(|n| n.as_integer()).unwrap_or(-1);
    let wrong = |what: String| Error::input(what).in_file(path);
    let holding = |what: &str| {
        manifest.files.iter().filter(move |file| file.holds == what).collect::<Vec<_>>()
    };
    let &[quasi] = holding("quasi").as_slice() else {
        return Err(wrong("the manifest must name one table of quasi values".into()));
    };
    let counted = holding("sensitive");
    let columns: Vec<Option<&str>> = counted.iter().map(|file| file.column.as_deref()).collect();
    if columns != named.iter().map(|name| Some(name.as_str())).collect::<Vec<_>>()
        || columns.is_empty()
    {
        return Err(wrong("the manifest must name one table for each sensitive column".into()));
    }
    let options = ReadOptions { header: Some(true), ..ReadOptions::default() };
    let load = |file: &ManifestFile| {
        read(&folder.join(&file.path).display().to_string(), &options, &mut select_all, observer)
    };
    let mut raw = load(quasi)?;
    let group_of_row = take_groups(&mut raw, group, &folder.join(&quasi.path))?;
    let sizes = sizes(&group_of_row).map_err(wrong)?;
    let mut tables = vec![(quasi, raw.source.sha256.clone(), raw.n_rows)];
    let starts = starts(&sizes);
    let order = by_group(&group_of_row, &starts);
    for column in &mut raw.columns {
        column.codes = column.codes.gather(&order);
    }
    for file in counted {
        let table = load(file)?;
        tables.push((file, table.source.sha256.clone(), table.n_rows));
        raw.columns.push(expanded(table, group, file, &sizes, &starts, folder)?);
    }
    if manifest.rows != raw.n_rows as u64 || n_groups != sizes.len() as i64 {
        return Err(wrong(format!(
            "the manifest speaks of {} records in {} groups, and the files have {} in {}",
            manifest.rows,
            n_groups,
            raw.n_rows,
            sizes.len()
        )));
    }
    // What is wrong in itself was said first: that a file was changed says less.
    for (file, sha256, rows) in tables {
        if sha256 != file.sha256 || rows as u64 != file.rows {
            return Err(wrong(format!(
                "{} isn't the file that the manifest names: its SHA-256 is another, so it was \
                    changed or exchanged",
                file.path
            )));
        }
    }
    let hashes: Vec<&str> = manifest.files.iter().map(|file| file.sha256.as_str()).collect();
    raw.source.sha256 = hashes.join(" ");
    let group_of_row = (0..sizes.len() as u32)
        .flat_map(|group| vec![group; sizes[group as usize] as usize])
        .collect();
    Ok(BucketTable { raw, group_of_row, sizes, sensitive: named, layout: "linked" })
}

/// Read a permuted table: a file whose columns are named.
pub fn read_permuted(
    input: &InputSpec,
    group: &str,
    sensitive: &[String],
    observer: &dyn Observer,
) -> Result<BucketTable> {
    let mut raw = read(&input.path, &read_options(input)?, &mut select_all, observer)?;
    if raw.n_rows == 0 {
        return Err(Error::input("the file has a header and no rows").in_file(&input.path));
    }
    for name in sensitive {
        if !raw.header.contains(name) {
            return Err(Error::params(format!("the file has no column '{name}'"))
                .in_file(&input.path)
                .hint(format!("its columns are {}", raw.header.join(", "))));
        }
    }
    let group_of_row = take_groups(&mut raw, group, Path::new(&input.path))?;
    let sizes = sizes(&group_of_row).map_err(|what| Error::input(what).in_file(&input.path))?;
    let places = group_of_row.iter().map(|group| group - 1).collect();
    Ok(BucketTable {
        raw,
        group_of_row: places,
        sizes,
        sensitive: sensitive.to_vec(),
        layout: "permuted",
    })
}

/// Take the column of group numbers out of a table.
fn take_groups(raw: &mut RawTable, group: &str, path: &Path) -> Result<Vec<u32>> {
    let shown = path.display().to_string();
    let Some(place) = raw.columns.iter().position(|column| column.name == group) else {
        return Err(Error::input(format!(
            "the file has no column '{group}', which says the group of a row"
        ))
        .in_file(shown)
        .hint(format!("its columns are {}", raw.header.join(", "))));
    };
    let column = raw.columns.remove(place);
    raw.header.retain(|name| name != group);
    numbers(&column, "a group's number", &shown)
}

/// The cells of a column as whole numbers from 1.
fn numbers(column: &RawColumn, what: &str, file: &str) -> Result<Vec<u32>> {
    let of_text: Vec<Option<u32>> =
        column.values.iter().map(|text| text.parse().ok().filter(|number| *number > 0)).collect();
    let number = |(row, code): (usize, u32)| {
        of_text[code as usize].filter(|_| Some(code) != column.null).ok_or_else(|| {
            let message = format!(
                "{what} must be a whole number from 1 (column '{}', row {})",
                column.name,
                row + 1
            );
            Error::input(message).in_file(file)
        })
    };
    column.codes.iter().enumerate().map(number).collect()
}

/// The number of rows of each group. Numbers must go from 1 without a gap, so that no group can be
/// missing unnoticed.
fn sizes(group_of_row: &[u32]) -> Result<Vec<u64>, String> {
    let n_groups = group_of_row.iter().max().map_or(0, |largest| *largest as usize);
    let mut sizes = vec![0u64; n_groups.min(group_of_row.len())];
    for group in group_of_row {
        match sizes.get_mut(*group as usize - 1) {
            Some(size) => *size += 1,
            None => {
                return Err(format!(
                    "a row is of group {group}, and there are fewer rows than that"
                ));
            }
        }
    }
    match sizes.iter().position(|size| *size == 0) {
        Some(empty) => {
            Err(format!("no row is of group {}, though groups are numbered beyond", empty + 1))
        }
        None => Ok(sizes),
    }
}

fn starts(sizes: &[u64]) -> Vec<usize> {
    let sums = sizes.iter().scan(0, |sum, size| {
        let start = *sum;
        *sum += *size as usize;
        Some(start)
    });
    sums.collect()
}

/// The rows in the order of their groups.
fn by_group(group_of_row: &[u32], starts: &[usize]) -> Vec<u32> {
    let mut next = starts.to_vec();
    let mut order = vec![0u32; group_of_row.len()];
    for (row, group) in group_of_row.iter().enumerate() {
        let place = &mut next[*group as usize - 1];
        order[*place] = row as u32;
        *place += 1;
    }
    order
}

/// The column that a table of counts describes, with rows in the order of their groups.
fn expanded(
    table: RawTable,
    group: &str,
    file: &ManifestFile,
    sizes: &[u64],
    starts: &[usize],
    folder: &Path,
) -> Result<RawColumn> {
    let path = folder.join(&file.path).display().to_string();
    let wrong = |what: String| Error::input(what).in_file(&path);
    let name = file.column.as_deref().unwrap_or_default();
    if table.header != [group, name, COUNT] {
        return Err(wrong(format!("its columns must be {group}, {name} and {COUNT}")));
    }
    let [groups, column, counts] = <[RawColumn; 3]>::try_from(table.columns)
        .map_err(|_| wrong("it must have three columns".into()))?;
    let (groups, counts) =
        (numbers(&groups, "a group's number", &path)?, numbers(&counts, "a count", &path)?);
    let mut entries: Vec<(u32, u32, u32)> = groups
        .into_iter()
        .zip(column.codes.iter())
        .zip(counts)
        .map(|((group, code), count)| (group, code, count))
        .collect();
    entries.sort_unstable();
    if let Some(pair) =
        entries.windows(2).find(|pair| (pair[0].0, pair[0].1) == (pair[1].0, pair[1].1))
    {
        return Err(wrong(format!("group {} has the same value in two rows", pair[0].0)));
    }
    let mut codes = vec![
        0u32;
        starts.last().copied().unwrap_or(0)
            + sizes.last().map_or(0, |size| *size as usize)
    ];
    let mut seen = vec![false; sizes.len()];
    for entries in entries.chunk_by(|a, b| a.0 == b.0) {
        let group = entries[0].0;
        let Some(size) = sizes.get(group as usize - 1) else {
            return Err(wrong(format!("it counts values of group {group}, and no row is of it")));
        };
        let sum: u64 = entries.iter().map(|(_, _, count)| u64::from(*count)).sum();
        if sum != *size {
            return Err(wrong(format!(
                "the counts of group {group} add up to {sum}, and it has {size} rows"
            )));
        }
        seen[group as usize - 1] = true;
        let mut next = starts[group as usize - 1];
        for (_, code, count) in entries {
            codes[next..next + *count as usize].fill(*code);
            next += *count as usize;
        }
    }
    match seen.iter().position(|seen| !seen) {
        Some(group) => Err(wrong(format!("it has no values of group {}", group + 1))),
        None => Ok(RawColumn { codes: Codes::U32(codes), ..column }),
    }
}
