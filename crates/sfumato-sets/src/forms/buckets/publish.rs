//! Writes a bucket release to where nobody sees it yet: records with their groups and counts of sensitive items in a folder, or records with permuted
//! sensitive items in a file. Nothing here decides anything.

use std::path::Path;

use rand_chacha::ChaCha20Rng;
use sfumato_core::Result;
use sfumato_core::buckets::{FactCounts, Groups};
use sfumato_core::column::{Codes, Dictionary};
use sfumato_core::observer::Observer;
use sfumato_io::{
    AtomicFile, AtomicFolder, BasketForm, BasketWriteOptions, Keyed, RecordSource, WriteColumn, WriteOptions,
    write_baskets, write_rows,
};

use crate::data::read::Loaded;
use crate::forms::subsets::publish::write_options;
use sfumato_engine::job::group_column;
use sfumato_engine::job::{BucketForm, Job};
use sfumato_engine::paths::resolve;
use sfumato_engine::random::{generator, shuffle};

use super::files::{COUNTS, keyed, names};
use super::plan::sensitive_of;

/// Where a release is until it is checked.
pub enum Place {
    /// A folder, with the names of its file of records and its file of counts.
    Linked(AtomicFolder, (String, String)),
    /// One file with all items, and how it was written.
    Permuted {
        /// The file.
        file: AtomicFile,
        /// How it was written.
        options: BasketWriteOptions,
        /// Whether it goes to standard output.
        to_stdout: bool,
    },
}

impl Place {
    /// Make it visible.
    pub fn commit(self) -> Result<()> {
        match self {
            Place::Linked(folder, _) => folder.commit(),
            Place::Permuted { file, to_stdout: true, .. } => file.copy_to_stdout(),
            Place::Permuted { file, .. } => file.commit(),
        }
    }
}

/// A release that nobody has checked yet.
pub struct BucketCandidate {
    /// Where it is.
    pub place: Place,
    /// How records lie in their file.
    pub form: BasketForm,
    /// Which record each row is.
    pub order: Vec<u32>,
}

/// Write it: rows in random order and groups under random numbers, because order gives people away.
pub fn publish(
    job: &Job,
    loaded: &Loaded,
    groups: &Groups,
    observer: &dyn Observer,
) -> Result<BucketCandidate> {
    let group = group_column(job);
    let form = keyed(&loaded.release_form, group)?;
    let mut random = generator(job.run.seed)?;
    let mut order: Vec<u32> = (0..groups.of_record().len() as u32).collect();
    if !job.output.keep_order {
        shuffle(&mut order, &mut random);
    }
    let mut ids: Vec<u32> = (1..=groups.len() as u32).collect();
    shuffle(&mut ids, &mut random);
    let keys: Vec<u32> =
        order.iter().map(|record| ids[groups.of_record()[*record as usize] as usize]).collect();
    let place = match job.output.buckets.unwrap_or_default() {
        BucketForm::Linked => {
            let folder = AtomicFolder::create(Path::new(&resolve(&job.base, &job.output.path)))?;
            let names = names(&form, &loaded.source.format);
            let mut options = BasketWriteOptions::for_destination(&names.0, &form)?;
            options.numeric = loaded.numeric;
            options.file.crlf = loaded.source.crlf;
            let quasi = &loaded.baskets.quasi;
            let record = |row: usize, codes: &mut Vec<u32>| quasi.append(order[row] as usize, codes);
            let rows = Keyed { records: &record, keys: &keys };
            write(folder.file(&names.0)?, &form, loaded, &rows, order.len(), &options, observer)?.commit()?;
            let counted = Counted { group, groups, ids: &ids };
            write_counts(&folder, &names.1, loaded, &counted, &mut random, observer)?;
            Place::Linked(folder, names)
        }
        BucketForm::Permuted => {
            let (options, destination, to_stdout) = write_options(job, loaded, &form)?;
            let file = match to_stdout {
                true => AtomicFile::create_anywhere()?,
                false => AtomicFile::create(Path::new(&destination), false)?,
            };
            let giver = permuted(groups, &mut random);
            let (quasi, sensitive) = (&loaded.baskets.quasi, sensitive_of(loaded)?);
            let record = |row: usize, codes: &mut Vec<u32>| {
                let (record, before) = (order[row] as usize, codes.len());
                quasi.append(record, codes);
                sensitive.append(giver[record] as usize, codes);
                codes[before..].sort_unstable();
            };
            let rows = Keyed { records: &record, keys: &keys };
            let mut file = write(file, &form, loaded, &rows, order.len(), &options, observer)?;
            file.flush_all()?;
            Place::Permuted { file, options, to_stdout }
        }
    };
    Ok(BucketCandidate { place, form, order })
}

fn write(
    file: AtomicFile,
    form: &BasketForm,
    loaded: &Loaded,
    rows: &Keyed<'_>,
    n_rows: usize,
    options: &BasketWriteOptions,
    observer: &dyn Observer,
) -> Result<AtomicFile> {
    write_baskets(file, form, &loaded.baskets.items.names, n_rows, rows, options, observer)
}

/// For each record the one of its group whose sensitive items it is published with. Every permutation is equally likely.
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

/// Groups to be counted, the name of their column, and the number that each is published under.
struct Counted<'a> {
    group: &'a str,
    groups: &'a Groups,
    ids: &'a [u32],
}

/// A row for each sensitive item of each group.
fn write_counts(
    folder: &AtomicFolder,
    name: &str,
    loaded: &Loaded,
    counted: &Counted<'_>,
    random: &mut ChaCha20Rng,
    observer: &dyn Observer,
) -> Result<()> {
    let Counted { group: column, groups, ids } = *counted;
    let counts = FactCounts::of(groups, sensitive_of(loaded)?);
    // Which group and which of its counts a row shows.
    let mut rows: Vec<(u32, u32)> = (0..groups.len())
        .flat_map(|group| (0..counts.of_group(group).len()).map(move |at| (group as u32, at as u32)))
        .collect();
    let mut order: Vec<u32> = (0..rows.len() as u32).collect();
    shuffle(&mut order, random);
    rows = order.iter().map(|at| rows[*at as usize]).collect();
    let fact = |row: &(u32, u32)| counts.of_group(row.0 as usize)[row.1 as usize];
    let numbers = |of: &dyn Fn(&(u32, u32)) -> u32| -> (Dictionary, Codes) {
        // Every row its own text: dictionaries are for reading.
        (rows.iter().map(|row| of(row).to_string()).collect(), Codes::U32((0..rows.len() as u32).collect()))
    };
    let group = numbers(&|row| ids[row.0 as usize]);
    let records = numbers(&|row| groups.sizes()[row.0 as usize]);
    let count = numbers(&|row| fact(row).1);
    let items: Dictionary = loaded.baskets.items.names.iter().collect();
    let item = Codes::U32(rows.iter().map(|row| fact(row).0).collect());
    let columns = [
        number(column, &group),
        number(COUNTS[0], &records),
        WriteColumn { name: COUNTS[1], values: &items, null: None, native_type: None, source: &item },
        number(COUNTS[2], &count),
    ];
    let options = WriteOptions { crlf: loaded.source.crlf, ..WriteOptions::for_destination(name)? };
    write_rows(folder.file(name)?, &columns, rows.len(), &options, observer)?.commit()
}

/// A column of numbers.
fn number<'a>(name: &'a str, (values, source): &'a (Dictionary, Codes)) -> WriteColumn<'a> {
    WriteColumn { name, values, null: None, native_type: Some("Int64"), source }
}
