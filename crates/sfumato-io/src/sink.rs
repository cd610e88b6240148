//! Where a release goes: a file or folder, standard output, or memory. A job says it by a text.

use std::path::{Path, PathBuf};

use sfumato_core::{Error, Result};

use crate::atomic::AtomicFile;
use crate::format::{Compression, Format, format_of_destination};
use crate::in_memory;
use crate::output::{InMemory, Output};

/// Where a release goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sink {
    /// A file or a folder.
    Path(PathBuf),
    /// Standard output, `-`.
    StandardOutput,
    /// An inbox in memory, by its name.
    Memory(String),
}

impl Sink {
    /// What a text stands for.
    pub fn of(text: &str) -> Self {
        match text {
            "-" => Sink::StandardOutput,
            name if in_memory::is_named(name) => Sink::Memory(name.to_string()),
            path => Sink::Path(PathBuf::from(path)),
        }
    }

    /// The file or folder, if it is one.
    pub fn path(&self) -> Option<&Path> {
        match self {
            Sink::Path(path) => Some(path),
            Sink::StandardOutput | Sink::Memory(_) => None,
        }
    }

    /// The folder that a release of several files will be; only a path can be one.
    pub fn folder(&self) -> Result<&Path> {
        let refuse = |whither: &str| {
            Error::params(format!(
                "this release is a folder of several files, and can't go {whither}"
            ))
            .hint("name a folder, or publish it in a form that is one file")
        };
        match self {
            Sink::Path(path) => Ok(path),
            Sink::StandardOutput => Err(refuse("to standard output")),
            Sink::Memory(_) => Err(refuse("to memory")),
        }
    }

    /// The format of a single file: what the name of a path says, that of the input for standard
    /// output, and Arrow for memory.
    pub fn format(&self, of_input: &str) -> Result<(Format, Option<Compression>)> {
        match self {
            Sink::Path(path) => format_of_destination(&path.display().to_string()),
            Sink::StandardOutput => Ok((of_input.parse()?, None)),
            Sink::Memory(_) => Ok((Format::ArrowIpc, None)),
        }
    }

    /// The name under which the manifest lists a single file.
    pub fn file_name(&self) -> String {
        match self {
            Sink::Path(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Sink::StandardOutput => "-".into(),
            Sink::Memory(_) => "release.arrow".into(),
        }
    }

    /// Begin a single file, which nobody sees before it is committed. What goes to standard output
    /// waits in a temporary file until it is checked.
    pub fn create(&self) -> Result<Output> {
        match self {
            Sink::Path(path) => AtomicFile::create(path, false).map(Output::File),
            Sink::StandardOutput => AtomicFile::create_anywhere().map(Output::File),
            Sink::Memory(name) => Ok(Output::Memory(InMemory::new(name))),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch};
    use arrow_schema::{DataType, Field, Schema};
    use sfumato_core::observer::Unobserved;

    use super::*;
    use crate::writers::ipc::IpcWriter;
    use crate::{Inbox, ReadOptions, read, select_all};

    #[test]
    fn texts_stand_for_sinks() {
        let inbox = Inbox::new();
        let memory = Sink::of(inbox.name());
        assert_eq!(memory, Sink::Memory(inbox.name().into()));
        assert_eq!(Sink::of("-"), Sink::StandardOutput);
        assert_eq!(Sink::of("a/b.csv").path(), Some(Path::new("a/b.csv")));
        assert_eq!(memory.format("csv").unwrap(), (Format::ArrowIpc, None));
        assert_eq!(Sink::StandardOutput.format("csv").unwrap(), (Format::Csv, None));
        assert_eq!(Sink::of("a/b.jsonl").format("csv").unwrap(), (Format::JsonLines, None));
        assert!(Sink::of("folder").folder().is_ok());
        for sink in [memory, Sink::StandardOutput] {
            assert!(sink.folder().unwrap_err().message.contains("a folder of several files"));
        }
        drop(inbox);
    }

    fn batch() -> RecordBatch {
        let column: ArrayRef = Arc::new(Int64Array::from(vec![3, 5]));
        RecordBatch::try_from_iter([("a", column)]).unwrap()
    }

    #[test]
    fn a_draft_in_memory_is_read_back_from_its_bytes_and_then_handed_over() {
        let inbox = Inbox::new();
        let name = inbox.name().to_string();
        let schema = Schema::new(vec![Field::new("a", DataType::Int64, false)]);
        let out = Sink::of(&name).create().unwrap();
        let mut writer = IpcWriter::create(out, schema.into()).unwrap();
        writer.write(&batch()).unwrap();
        let mut out = writer.finish().unwrap();
        out.flush_all().unwrap();
        let path = out.path().display().to_string();
        let back = read(&path, &ReadOptions::default(), &mut select_all, &Unobserved).unwrap();
        assert_eq!((back.n_rows, back.header), (2, vec!["a".to_string()]));
        assert!(back.source.bytes > 0 && back.source.sha256.len() == 64);
        let Output::Memory(memory) = out else { panic!("the sink is in memory") };
        memory.deliver("{}".into()).unwrap();
        // A release isn't a draft any more: nobody reads it by its name.
        assert!(read(&path, &ReadOptions::default(), &mut select_all, &Unobserved).is_err());
        let delivered = inbox.take().unwrap();
        assert_eq!(
            (delivered.batches().unwrap(), delivered.manifest.as_str()),
            (vec![batch()], "{}")
        );
    }

    #[test]
    fn a_draft_that_is_dropped_leaves_the_inbox_empty() {
        let inbox = Inbox::new();
        let mut out = Sink::of(inbox.name()).create().unwrap();
        out.write_all(b"secret").unwrap();
        out.flush_all().unwrap();
        assert!(in_memory::find(inbox.name()).is_some());
        drop(out);
        assert!(in_memory::find(inbox.name()).is_none());
        assert!(inbox.take().is_none());
    }
}
