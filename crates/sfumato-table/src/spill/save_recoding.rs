//! Saves a recoding that was never in memory: the rules of one partition after the other become the
//! regions of one file.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use sfumato_core::dataset::Table;
use sfumato_core::{Error, Result};
use sfumato_io::AtomicFile;

use crate::forms::generalized::anonymize::Decided;
use crate::job::Job;
use crate::kind::TableData;
use crate::recoding_file::{FORMAT, NOTE, SavedColumn};
use sfumato_engine::exec::Partitions;
use sfumato_engine::paths::resolve;

/// Write the file that the job asks for, in the form that `SavedFile` reads: first the values of
/// each column, then the regions. It has no name yet.
pub fn save_recoding(
    job: &Job,
    template: &Table,
    partitions: &dyn Partitions<TableData, Decided>,
) -> Result<Option<AtomicFile>> {
    let Some(path) = &job.output.recoding else { return Ok(None) };
    let path = resolve(&job.base, path);
    let mut out = Json { file: AtomicFile::create(Path::new(&path), true)?, path: &path };
    out.text("{\"format\":")?;
    out.value(&FORMAT)?;
    out.text(",\"version\":1,\"shape\":\"boxes\",\"note\":")?;
    out.value(&NOTE)?;
    out.text(",\"job\":")?;
    out.value(job)?;
    out.text(",\"columns\":[")?;
    let quasi = template.quasi();
    for (index, column) in quasi.iter().enumerate() {
        let head = SavedColumn::without_values(column);
        out.text(if index == 0 { "{\"name\":" } else { ",{\"name\":" })?;
        out.value(&head.name)?;
        out.text(",\"type\":")?;
        out.value(&head.kind)?;
        out.text(",\"levels\":")?;
        out.value(&head.levels)?;
        out.text(",\"values\":[")?;
        let mut first = true;
        each_part(partitions, |decided| {
            for value in decided.saved.get(index).into_iter().flatten() {
                out.text(if std::mem::take(&mut first) { "" } else { "," })?;
                out.value(value)?;
            }
            Ok(())
        })?;
        out.text("]}")?;
    }
    out.text("],\"sensitive\":")?;
    let sensitive: Vec<SavedColumn> =
        template.sensitive().iter().filter_map(|column| SavedColumn::tree_of(column)).collect();
    out.value(&sensitive)?;
    out.text(",\"regions\":[")?;
    let mut before = vec![0u32; quasi.len()];
    let mut first = true;
    each_part(partitions, |Decided { recoding, saved }| {
        let columns: Vec<_> = (0..quasi.len()).map(|column| recoding.column(column)).collect();
        for class in 0..recoding.n_classes() {
            out.text(if std::mem::take(&mut first) { "" } else { "," })?;
            let places = columns.iter().zip(&before);
            let region: Vec<u32> =
                places.map(|(column, before)| column.of_class[class] + before).collect();
            out.value(&region)?;
        }
        before.iter_mut().zip(saved).for_each(|(before, values)| *before += values.len() as u32);
        Ok(())
    })?;
    out.text("]}")?;
    Ok(Some(out.file))
}

fn each_part(
    partitions: &dyn Partitions<TableData, Decided>,
    mut visit: impl FnMut(&Decided) -> Result<()>,
) -> Result<()> {
    for at in 0..partitions.count() {
        if let Some(decided) = partitions.decided(at)? {
            visit(&decided)?;
        }
    }
    Ok(())
}

struct Json<'a> {
    file: AtomicFile,
    path: &'a str,
}

impl Json<'_> {
    fn text(&mut self, text: &str) -> Result<()> {
        self.file
            .write_all(text.as_bytes())
            .map_err(|source| Error::io(Path::new(self.path), "write", &source))
    }

    fn value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        let text = serde_json::to_string(value)
            .map_err(|error| Error::internal(format!("the recoding can't be written: {error}")))?;
        self.text(&text)
    }
}
