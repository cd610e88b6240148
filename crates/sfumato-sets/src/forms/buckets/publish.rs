//! Writes a bucket release to a draft: records with their groups and counts of sensitive items in a
//! folder, or records with permuted sensitive items in a file. Nothing here decides anything.

use rand_chacha::ChaCha20Rng;
use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_engine::draft::Draft;
use sfumato_engine::paths::resolve;
use sfumato_engine::random::{generator, shuffle};
use sfumato_io::{
    BasketLayout, BasketWriteOptions, Keyed, RecordSource, WriteColumn, WriteOptions,
    write_baskets, write_rows,
};

use crate::data::read::Loaded;
use crate::data::{FactCounts, Groups};
use crate::forms::subsets::publish::write_options;
use crate::job::{BucketLayout, Job};

use super::BucketDecision;
use super::files::{self, COUNTS, keyed};
use super::plan::sensitive_of;

/// What is needed to read a draft back.
pub struct Witness {
    /// The layout of records.
    pub layout: BasketLayout,
    /// Which record each row is made from.
    pub order: Vec<u32>,
    /// The files of the draft.
    pub files: Files,
}

/// The files of a draft.
pub enum Files {
    /// Two files in a folder: the names of the file of records and of the file of counts.
    Linked(String, String),
    /// One file with all items, and how it was written.
    Permuted(BasketWriteOptions),
}

/// Write a draft with rows in random order and random numbers of groups, because an order can
/// reveal people.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    BucketDecision { groups, counts, .. }: &BucketDecision,
    observer: &dyn Observer,
) -> Result<(Draft, Witness)> {
    let group = job.group_column();
    let layout = keyed(&loaded.release_layout, group)?;
    let mut random = generator(job.run.seed)?;
    let mut order: Vec<u32> = (0..groups.of_record().len() as u32).collect();
    if !job.output.keep_order {
        shuffle(&mut order, &mut random);
    }
    let mut ids: Vec<u32> = (1..=groups.len() as u32).collect();
    shuffle(&mut ids, &mut random);
    let keys: Vec<u32> =
        order.iter().map(|record| ids[groups.of_record()[*record as usize] as usize]).collect();
    let names = &loaded.baskets.items.names;
    let (mut draft, files);
    match job.output.buckets.unwrap_or_default() {
        BucketLayout::Linked => {
            draft = Draft::folder(&resolve(&job.base, &job.output.path))?;
            let (quasi_file, counts_file) = files::names(&layout, &loaded.source.format);
            let mut options = BasketWriteOptions::for_destination(&quasi_file, &layout)?;
            options.numeric = loaded.numeric;
            options.file.crlf = loaded.source.crlf;
            let quasi = &loaded.baskets.quasi;
            let record =
                |row: usize, codes: &mut Vec<u32>| quasi.append(order[row] as usize, codes);
            let rows = Keyed { records: &record, keys: &keys };
            draft.write_within(&quasi_file, |file| {
                write_baskets(file, &layout, names, order.len(), &rows, &options, observer)
            })?;
            let counts = counts.as_ref();
            let counts = counts.ok_or_else(|| Error::internal("nobody has counted the items"))?;
            let counted = Counted { group, groups, counts, ids: &ids };
            write_counts(&mut draft, &counts_file, loaded, &counted, &mut random, observer)?;
            files = Files::Linked(quasi_file, counts_file);
        }
        BucketLayout::Permuted => {
            let (options, destination) = write_options(job, loaded, &layout)?;
            draft = Draft::file(&destination)?;
            let giver = permuted(groups, &mut random);
            let (quasi, sensitive) = (&loaded.baskets.quasi, sensitive_of(loaded)?);
            let record = |row: usize, codes: &mut Vec<u32>| {
                let (record, before) = (order[row] as usize, codes.len());
                quasi.append(record, codes);
                sensitive.append(giver[record] as usize, codes);
                codes[before..].sort_unstable();
            };
            let rows = Keyed { records: &record, keys: &keys };
            draft.write(|file| {
                write_baskets(file, &layout, names, order.len(), &rows, &options, observer)
            })?;
            files = Files::Permuted(options);
        }
    }
    Ok((draft, Witness { layout, order, files }))
}

/// For each record, the record of its group whose sensitive items it is published with. Every
/// permutation is equally likely.
fn permuted(groups: &Groups, random: &mut ChaCha20Rng) -> Vec<u32> {
    let (offsets, members) = groups.members();
    let mut giver = vec![0; members.len()];
    for group in offsets.windows(2) {
        let own = &members[group[0]..group[1]];
        let mut others = own.to_vec();
        shuffle(&mut others, random);
        own.iter().zip(others).for_each(|(record, other)| giver[*record as usize] = other);
    }
    giver
}

/// Groups with their counts, the name of their column, and the published number of each.
struct Counted<'a> {
    group: &'a str,
    groups: &'a Groups,
    counts: &'a FactCounts,
    ids: &'a [u32],
}

/// Write a row for each sensitive item of each group.
fn write_counts(
    draft: &mut Draft,
    name: &str,
    loaded: &Loaded,
    counted: &Counted<'_>,
    random: &mut ChaCha20Rng,
    observer: &dyn Observer,
) -> Result<()> {
    let Counted { group: column, groups, counts, ids } = *counted;
    // Which group and which of its counts a row shows.
    let mut rows: Vec<(u32, u32)> = (0..groups.len())
        .flat_map(|group| {
            (0..counts.of_group(group).len()).map(move |at| (group as u32, at as u32))
        })
        .collect();
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    shuffle(&mut order, random);
    rows = order.iter().map(|at| rows[*at as usize]).collect();
    let fact = |row: &(u32, u32)| counts.of_group(row.0 as usize)[row.1 as usize];
    let numbers = |of: &dyn Fn(&(u32, u32)) -> u32| -> (Dictionary, Codes) {
        // Every row its own text: dictionaries are for reading.
        (
            rows.iter().map(|row| of(row).to_string()).collect(),
            Codes::U32((0..rows.len() as u32).collect()),
        )
    };
    let group = numbers(&|row| ids[row.0 as usize]);
    let records = numbers(&|row| groups.sizes()[row.0 as usize]);
    let count = numbers(&|row| fact(row).1);
    let items: Dictionary = loaded.baskets.items.names.iter().collect();
    let item = Codes::U32(rows.iter().map(|row| fact(row).0).collect());
    let columns = [
        number(column, &group),
        number(COUNTS[0], &records),
        WriteColumn {
            name: COUNTS[1],
            values: &items,
            null: None,
            native_type: None,
            source: &item,
        },
        number(COUNTS[2], &count),
    ];
    let options = WriteOptions { crlf: loaded.source.crlf, ..WriteOptions::for_destination(name)? };
    draft.write_within(name, |file| write_rows(file, &columns, rows.len(), &options, observer))
}

/// A column of numbers to be written.
fn number<'a>(name: &'a str, (values, source): &'a (Dictionary, Codes)) -> WriteColumn<'a> {
    WriteColumn { name, values, null: None, native_type: Some("Int64"), source }
}
