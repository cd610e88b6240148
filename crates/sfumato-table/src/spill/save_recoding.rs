//! Saves a recoding that was never in memory: the rules of one partition after the other become the
//! regions of one file.

use std::io::Write;
use std::path::Path;

use serde::Serialize;
use sfumato_core::dataset::Table;
use sfumato_core::{Error, Result};
use sfumato_io::AtomicFile;

use super::originals::Partitions;
use super::rules::read_saved;
use crate::job::Job;
use crate::recoding_file::{FORMAT, NOTE, SavedColumn, SavedValue};
use sfumato_engine::paths::resolve;

/// Write the file that the job asks for, in the format that `SavedFile` reads: first the values of
/// each column, then the regions.
pub fn save_recoding(job: &Job, template: &Table, partitions: &Partitions<'_>) -> Result<()> {
    let Some(path) = &job.output.recoding else { return Ok(()) };
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
        each_part(partitions, |values, _| {
            for value in values.get(index).into_iter().flatten() {
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
    each_part(partitions, |values, regions| {
        for region in regions {
            out.text(if std::mem::take(&mut first) { "" } else { "," })?;
            let region: Vec<u32> =
                region.iter().zip(&before).map(|(value, before)| value + before).collect();
            out.value(&region)?;
        }
        before.iter_mut().zip(values).for_each(|(before, values)| *before += values.len() as u32);
        Ok(())
    })?;
    out.text("]}")?;
    out.file.commit()
}

fn each_part(
    partitions: &Partitions<'_>,
    mut visit: impl FnMut(&[Vec<SavedValue>], &[Vec<u32>]) -> Result<()>,
) -> Result<()> {
    for rules in partitions.parts.iter().filter_map(|part| part.rules.as_ref()) {
        let (values, regions) = read_saved(rules)?;
        visit(&values, &regions)?;
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
