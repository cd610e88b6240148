//! `rothko-tree` as an algorithm over a table in memory: the same steps as over files, for
//! comparison and for tests.

use std::sync::LazyLock;

use sfumato_core::Result;
use sfumato_core::dataset::{Column, Table};
use sfumato_core::facts::Fact;
use sfumato_core::memory::Accountant;
use sfumato_core::observer::Unobserved;
use sfumato_core::recoding::{Boxes, BoxesBuilder, Recoding, SUPPRESSED, Value};
use sfumato_core::registry::{
    Capabilities, Info, OutOfCore, ParamKind, ParamSpec, Params, PerEffort,
};
use sfumato_core::traits::{Algorithm, Objective, Task};
use sfumato_core::workload::Workload;
use sfumato_io::spill::{Divide, Tuples, divide_in_memory};

use super::{Limits, Outline, Partition, Words, finish, tree};
use crate::algorithms::local::mondrian;
use crate::data::tuples::{Cells, of_table};

/// The algorithm `rothko-tree`, an entry of the registry.
pub struct RothkoTree;

/// The number of bytes of frequency groups if everything is in memory anyway.
pub(super) const GROUP_BYTES: u64 = 64 << 20;
/// The number of partitions made at once.
pub(super) const MAX_PARTS: usize = 256;

static INFO: LazyLock<Info> = LazyLock::new(|| {
    let mut params = mondrian::INFO.params.to_vec();
    params.push(ParamSpec::with_default(
        "partition_rows",
        ParamKind::Integer { min: 1, max: u32::MAX as i64 },
        "1000000",
        "records that are finished in memory; larger parts are divided by counts of their values",
    ));
    params.push(ParamSpec::optional(
        "groups",
        ParamKind::Integer { min: 1, max: u32::MAX as i64 },
        "frequency groups of the size of the whole table's that are held at once, at most; left \
            out, what memory allows",
    ));
    Info {
        name: "rothko-tree",
        summary: "mondrian for data larger than memory: the top of the tree is decided by counts \
            of values",
        papers: &mondrian::INFO.papers[1..],
        params: params.leak(),
        doc: include_str!("rothko_tree.md"),
        capabilities: Capabilities {
            serves: Fact::OF_CLASSES,
            uses_workload: true,
            nanoseconds_per_cell: Some(PerEffort::same(60.0)),
            out_of_core: OutOfCore::ByTree,
            needs_all_records: false,
            ..Capabilities::DEFAULT
        },
        ..Info::DEFAULT
    }
});

impl Algorithm for RothkoTree {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let partition_rows = params.integer("partition_rows").unsigned_abs();
        let limits = Limits {
            partition_rows,
            group_bytes: GROUP_BYTES,
            max_parts: MAX_PARTS,
            sample_rows: partition_rows,
        };
        in_memory(params, task, |outline, tuples, divide| {
            Ok(tree(outline, &limits, tuples, divide)?.0)
        })
    }
}

/// Divide a table in memory as if it weren't, and finish every partition.
pub(super) fn in_memory(
    params: &Params,
    task: &Task<'_>,
    divide: impl FnOnce(&Outline<'_>, &dyn Tuples, &dyn Divide) -> Result<Vec<Partition>>,
) -> Result<Box<dyn Recoding>> {
    let table = task.table;
    let (frame, mut tuples) = of_table(table);
    // The number of each row goes along behind what the frame knows.
    let row_column = tuples.columns.len();
    tuples.columns.push((0..table.n_rows as u64).collect());
    let whole = task.whole();
    let bind = |part: &Table| {
        Ok(task.workload.map(|workload| localized(workload, table, part)).unwrap_or_default())
    };
    let outline = Outline {
        frame: &frame,
        requirements: task.requirements,
        whole: &whole,
        max_suppressed: task.max_suppressed,
        params,
        workload: task.workload.map(|_| &bind as super::BindWorkload<'_>),
        objective: &|table| Objective::ncp(table),
        seed: task.seed,
        books: &Accountant::default(),
        observer: &Unobserved,
    };
    let partitions = divide(&outline, &tuples, &divide_in_memory(row_column + 1))?;
    let mut builder = BoxesBuilder::new(table.quasi().len());
    let mut class_of_row = vec![SUPPRESSED; table.n_rows];
    for partition in partitions.iter().filter(|partition| partition.published) {
        let rows = rows(partition.tuples.as_ref(), row_column)?;
        if let Some(cells) = &partition.whole_class {
            let values = table.quasi().into_iter().zip(cells).zip(frame.quasi());
            let class = builder.push(
                &values
                    .map(|((column, words), place)| {
                        value(column, frame.columns[place].cells, *words)
                    })
                    .collect::<Vec<_>>(),
            )?;
            rows.iter().for_each(|row| class_of_row[*row] = class);
            continue;
        }
        let part = frame.load(partition.tuples.as_ref())?;
        let boxes = finish(&outline, &part, &partition.above)?;
        let first = push_all(&mut builder, table, &part, &boxes)?;
        for (row, class) in rows.iter().zip(boxes.class_of_row()) {
            class_of_row[*row] = if *class == SUPPRESSED { SUPPRESSED } else { first + class };
        }
    }
    Ok(Box::new(builder.finish(class_of_row)))
}

/// The rows of the table that a partition holds.
fn rows(tuples: &dyn Tuples, column: usize) -> Result<Vec<usize>> {
    let mut rows = Vec::new();
    tuples.scan(&[column], &mut |batch| {
        rows.extend(batch.columns[column].iter().map(|row| *row as usize));
        Ok(())
    })?;
    Ok(rows)
}

/// Add the regions of a partition; returns the number of the first class.
fn push_all(builder: &mut BoxesBuilder, table: &Table, part: &Table, boxes: &Boxes) -> Result<u32> {
    let columns: Vec<(&Column, &Column)> = part.quasi().into_iter().zip(table.quasi()).collect();
    let mut first = None;
    for class in 0..boxes.n_classes() as u32 {
        let value =
            |(i, (from, to)): (usize, &(&Column, &Column))| recode(boxes.value(class, i), from, to);
        let region: Vec<Value> = columns.iter().enumerate().map(value).collect();
        let number = builder.push(&region)?;
        first.get_or_insert(number);
    }
    Ok(first.unwrap_or(0))
}

/// A value in the codes of a larger domain.
fn recode(value: Value, from: &Column, to: &Column) -> Value {
    let Value::Range { lo, hi } = value else { return value };
    let code = |code: u32| from.domain.key(code).map_or(code, |key| rank(to, key));
    Value::Range { lo: code(lo), hi: code(hi - 1) + 1 }
}

/// The code of a key.
fn rank(column: &Column, key: i64) -> u32 {
    column.domain.keys.partition_point(|known| *known < key) as u32
}

/// The published value of an interval of words.
fn value(column: &Column, cells: Cells, words: Words) -> Value {
    let missing = column.domain.missing();
    let code = |word: u64| match cells {
        Cells::Keys { n_words, .. } if word >= n_words => missing,
        Cells::Keys { least, .. } => rank(column, least.wrapping_add_unsigned(word)),
        _ => word as u32,
    };
    let (min, max) = (code(words.min), code(words.max));
    let end = if max == missing { missing } else { max + 1 };
    Value::covering(column, min, end, max == missing)
}

/// A workload that was bound to a table, bound to a part of it, in which keys have other ranks.
fn localized(workload: &Workload, whole: &Table, part: &Table) -> Workload {
    let mut workload = workload.clone();
    let columns: Vec<(&Column, &Column)> = whole.quasi().into_iter().zip(part.quasi()).collect();
    for selection in &mut workload.selections {
        for (interval, (from, to)) in selection.intervals.iter_mut().zip(&columns) {
            let missing = from.domain.missing();
            // Behind the last value missing follows, and behind missing nothing.
            let code = |code: u32| match from.domain.key(code) {
                Some(key) => rank(to, key),
                None => to.domain.missing() + code.saturating_sub(missing),
            };
            if let Some(interval) =
                interval.as_mut().filter(|_| from.domain.len() != to.domain.len())
            {
                *interval = code(interval.start)..code(interval.end);
            }
        }
    }
    workload
}
