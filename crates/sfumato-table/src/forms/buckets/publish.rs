//! Writes groups to temporary files: linked tables in a folder, or one table with permuted values.
//! It decides nothing, and makes nothing visible.

use sfumato_engine::random::shuffle;

use rand_chacha::ChaCha20Rng;
use sfumato_core::Result;
use sfumato_core::column::Codes;
use sfumato_core::dataset::{Column, Role, Table};
use sfumato_core::observer::Observer;
use sfumato_core::recoding::{Buckets, Recoding};
use sfumato_engine::draft::Draft;
use sfumato_io::{Format, WriteOptions, write_rows};

use super::COUNT;
use crate::data::class_index::rows_by_class;
use crate::data::encode::Encoded;
use crate::forms::generalized::apply::{
    Rendered, open, publish_from, publish_numbers, publish_unchanged, write_columns,
};
use crate::job::{BucketLayout, Job};
use sfumato_engine::paths::resolve;

/// What is needed to read a draft back.
pub struct BucketFiles {
    /// The names of the table of quasi values and of those of sensitive columns. `None` for a
    /// single file.
    pub linked: Option<(String, Vec<String>)>,
    /// The number of published records, which are the first ones of the reordered table.
    pub n_rows: usize,
    /// The options with which the files were written.
    pub options: WriteOptions,
}

/// Write the groups of a reordered table, whose first `n_rows` rows are published.
pub(super) fn publish(
    job: &Job,
    layout: BucketLayout,
    encoded: &Encoded,
    (buckets, n_rows): (&Buckets, usize),
    random: &mut ChaCha20Rng,
    observer: &dyn Observer,
) -> Result<(Draft, BucketFiles)> {
    let numbers = Numbered::new(buckets, n_rows, random);
    match layout {
        BucketLayout::Linked => linked(job, encoded, &numbers, random, observer),
        BucketLayout::Permuted => permuted(job, encoded, &numbers, random, observer),
    }
}

/// Groups with their published numbers: from 1, in a random order.
struct Numbered {
    group_of_row: Vec<u32>,
    members: Vec<Vec<u32>>,
}

impl Numbered {
    fn new(buckets: &Buckets, n_rows: usize, random: &mut ChaCha20Rng) -> Self {
        let mut number_of: Vec<u32> = (1..=buckets.n_classes() as u32).collect();
        shuffle(&mut number_of, random);
        let group_of_row: Vec<u32> = buckets.class_of_row()[..n_rows]
            .iter()
            .map(|class| number_of[*class as usize])
            .collect();
        let mut sizes = vec![0u64; buckets.n_classes()];
        let places: Vec<u32> = group_of_row.iter().map(|group| group - 1).collect();
        places.iter().for_each(|place| sizes[*place as usize] += 1);
        Numbered { group_of_row, members: rows_by_class(&places, &sizes) }
    }
}

fn linked(
    job: &Job,
    encoded: &Encoded,
    numbers: &Numbered,
    random: &mut ChaCha20Rng,
    observer: &dyn Observer,
) -> Result<(Draft, BucketFiles)> {
    let table = &encoded.table;
    let format: Format = job.output.format.as_deref().unwrap_or(&encoded.source.format).parse()?;
    let options = WriteOptions {
        format,
        compression: None,
        delimiter: encoded.source.delimiter.unwrap_or(b','),
        crlf: encoded.source.crlf,
    };
    let mut draft = Draft::folder(&resolve(&job.base, &job.output.path))?;
    let n_rows = numbers.group_of_row.len();
    let quasi = format!("quasi.{}", format.name());
    let mut columns: Vec<Rendered<'_>> =
        exact_columns(table).map(|column| publish_unchanged(column, format)).collect();
    columns.push(publish_numbers(job.group_column(), &numbers.group_of_row));
    write(&mut draft, &quasi, &columns, n_rows, &options, observer)?;
    let columns = table.sensitive();
    let mut sensitive = Vec::with_capacity(columns.len());
    for (place, column) in columns.iter().enumerate() {
        let name = match columns.len() {
            1 => format!("sensitive.{}", format.name()),
            _ => format!("sensitive-{}.{}", place + 1, format.name()),
        };
        let counts = shuffled(counts(column, &numbers.members), random);
        let groups: Vec<u32> = counts.iter().map(|(group, _, _)| *group).collect();
        let values: Vec<u32> = counts.iter().map(|(_, value, _)| *value).collect();
        let times: Vec<u32> = counts.iter().map(|(_, _, times)| *times).collect();
        let columns = [
            publish_numbers(job.group_column(), &groups),
            publish_from(column, format, Box::new(Codes::U32(values))),
            publish_numbers(COUNT, &times),
        ];
        write(&mut draft, &name, &columns, counts.len(), &options, observer)?;
        sensitive.push(name);
    }
    Ok((draft, BucketFiles { linked: Some((quasi, sensitive)), n_rows, options }))
}

/// The columns that are published as they are: all except the sensitive ones.
pub(super) fn exact_columns(table: &Table) -> impl Iterator<Item = &Column> {
    table.published().filter(|column| column.role != Role::Sensitive)
}

fn write(
    draft: &mut Draft,
    name: &str,
    columns: &[Rendered<'_>],
    n_rows: usize,
    options: &WriteOptions,
    observer: &dyn Observer,
) -> Result<()> {
    let columns = write_columns(columns);
    draft.write_within(name, |file| write_rows(file, &columns, n_rows, options, observer))
}

/// How often each group has each value of a column: the group's number, the value's code, the
/// count.
fn counts(column: &Column, members: &[Vec<u32>]) -> Vec<(u32, u32, u32)> {
    let mut counts = Vec::new();
    let mut codes: Vec<u32> = Vec::new();
    for (group, rows) in members.iter().enumerate() {
        codes.clear();
        codes.extend(rows.iter().map(|row| column.codes.get(*row as usize)));
        codes.sort_unstable();
        counts.extend(
            codes
                .chunk_by(|a, b| a == b)
                .map(|same| (group as u32 + 1, same[0], same.len() as u32)),
        );
    }
    counts
}

fn shuffled<T: Copy>(items: Vec<T>, random: &mut ChaCha20Rng) -> Vec<T> {
    let mut order: Vec<u32> = (0..items.len() as u32).collect();
    shuffle(&mut order, random);
    order.iter().map(|place| items[*place as usize]).collect()
}

fn permuted(
    job: &Job,
    encoded: &Encoded,
    numbers: &Numbered,
    random: &mut ChaCha20Rng,
    observer: &dyn Observer,
) -> Result<(Draft, BucketFiles)> {
    let (mut draft, options) = open(job, &encoded.source)?;
    let mut columns: Vec<Rendered<'_>> = Vec::new();
    for column in encoded.table.published() {
        columns.push(match column.role {
            Role::Sensitive => {
                let codes = permute(column, &numbers.members, random);
                publish_from(column, options.format, Box::new(Codes::U32(codes)))
            }
            _ => publish_unchanged(column, options.format),
        });
    }
    columns.push(publish_numbers(job.group_column(), &numbers.group_of_row));
    let n_rows = numbers.group_of_row.len();
    let rendered = write_columns(&columns);
    draft.write(|file| write_rows(file, &rendered, n_rows, &options, observer))?;
    Ok((draft, BucketFiles { linked: None, n_rows, options }))
}

/// The codes of a column, permuted at random within each group.
fn permute(column: &Column, members: &[Vec<u32>], random: &mut ChaCha20Rng) -> Vec<u32> {
    let mut permuted = vec![0; members.iter().map(Vec::len).sum()];
    let mut codes: Vec<u32> = Vec::new();
    for rows in members {
        codes.clear();
        codes.extend(rows.iter().map(|row| column.codes.get(*row as usize)));
        shuffle(&mut codes, random);
        rows.iter().zip(&codes).for_each(|(row, code)| permuted[*row as usize] = *code);
    }
    permuted
}
