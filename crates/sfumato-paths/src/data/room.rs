//! Whether paths fit into the memory that a job allows. It is told before they are read: a run that
//! is stopped by the system in the middle of its work has wasted it.

use std::io::{BufRead as _, BufReader};
use std::path::Path;

use sfumato_core::memory::parse_bytes;
use sfumato_core::{Error, ErrorKind, Result};
use sfumato_io::Source;
use sfumato_io::steps::StepFile;
use sfumato_report::numbers::{bytes, count};

use super::layout::{self, Layout};
use super::read::input_of;
use crate::job::Job;

/// What a run takes whatever it reads.
const BASE: u64 = 64 << 20;
/// What a point takes at the peak: while the release is read back, and the original is there.
const PER_POINT: u64 = 64;
/// How much of a file is looked at together.
const CHUNK: usize = 1 << 20;

/// Refuse to read what needs more memory than the job allows.
pub fn check(job: &Job) -> Result<()> {
    let Some(limit) = job.run.memory.as_deref().map(parse_bytes).transpose()? else {
        return Ok(());
    };
    let path = input_of(job).path;
    let points = match layout::parse(&job.paths.layout)?.layout {
        // Every word of a line is a step.
        Layout::Lines { .. } => ends_of(&path, |byte| byte.is_ascii_whitespace() || *byte == b',')?,
        _ => ends_of(&path, |byte| *byte == b'\n')?,
    };
    let needed = BASE + points * PER_POINT;
    match needed <= limit {
        true => Ok(()),
        false => Err(Error::new(
            ErrorKind::Resources,
            format!(
                "about {} points need about {} of memory, and --memory allows {}: how often \
                 sequences occur is counted over all paths at once",
                count(points),
                bytes(needed),
                bytes(limit)
            ),
        )
        .in_file(&path)
        .hint(
            "allow more, or anonymize parts of the people one by one: what holds for each part \
             holds for all of them together, at a larger loss",
        )),
    }
}

/// How many bytes of a file end a point. Of a file that isn't plain text nobody knows before it is
/// read.
fn ends_of(path: &str, is_end: impl Fn(&u8) -> bool) -> Result<u64> {
    const PLAIN: [&str; 6] = [".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".dat"];
    let is_plain = PLAIN.iter().any(|end| path.to_ascii_lowercase().ends_with(end));
    if !is_plain || !Source::of(path).is_path() {
        return Err(Error::unsupported(
            "how much memory this input needs isn't known before it is read: a limit can't be kept",
        )
        .in_file(path)
        .hint("leave --memory out, or give a file of plain text such as .csv"));
    }
    let file = StepFile::open(Path::new(path))
        .map_err(|error| Error::io(Path::new(path), "open", &error))?;
    let mut reader = BufReader::with_capacity(CHUNK, file);
    let mut ends = 1;
    loop {
        let chunk =
            reader.fill_buf().map_err(|error| Error::io(Path::new(path), "read", &error))?;
        if chunk.is_empty() {
            return Ok(ends);
        }
        ends += chunk.iter().filter(|byte| is_end(byte)).count() as u64;
        let n = chunk.len();
        reader.consume(n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(name: &str, layout: &str, text: &str, memory: &str) -> Result<()> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(name), text).unwrap();
        let mut job = Job { base: folder.path().to_path_buf(), ..Job::default() };
        job.input.path = name.into();
        job.paths.layout = layout.into();
        job.run.memory = Some(memory.into());
        check(&job)
    }

    #[test]
    fn what_needs_more_than_is_allowed_is_refused_before_it_is_read() {
        let points = "points(id=ID, place=LOC, time=T)";
        let rows = |n: usize| "1,a,2\n".repeat(n);
        assert!(checked("in.csv", points, &rows(1000), "65MiB").is_ok());
        let error = checked("in.csv", points, &rows(1000), "64MiB").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Resources);
        assert!(error.message.contains("1,001 points"), "{error}");
        // 400,000 steps on a thousand lines.
        let lines = format!("{}\n", "a ".repeat(400)).repeat(1000);
        assert!(checked("in.txt", "lines", &lines, "80MiB").is_err());
        assert!(checked("in.txt", "lines", &lines, "96MiB").is_ok());
        let error = checked("in.parquet", points, "", "40MiB").unwrap_err();
        assert_eq!(error.kind, ErrorKind::Unsupported);
    }
}
