//! Where records come from: a file, standard input, or memory. A job says it by a text.

use std::path::Path;

use crate::converted::postgres::is_address;
use crate::in_memory::{self, Readable};

/// Where records come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    /// A file, or the folder of a release.
    Path(&'a Path),
    /// Standard input, `-`: it can be read once.
    StandardInput,
    /// Batches in memory, by their name.
    Memory(&'a str),
    /// A table on a database server, by its address.
    Server(&'a str),
}

impl<'a> Source<'a> {
    /// What a text stands for.
    pub fn of(text: &'a str) -> Self {
        match text {
            "-" => Source::StandardInput,
            name if in_memory::is_named(name) => Source::Memory(name),
            address if is_address(address) => Source::Server(address),
            path => Source::Path(Path::new(path)),
        }
    }

    /// Whether it is a file or a folder.
    pub fn is_path(&self) -> bool {
        matches!(self, Source::Path(_))
    }

    /// How many bytes there are to read, where that is known before reading.
    pub fn size(&self) -> Option<u64> {
        match self {
            Source::Path(path) => {
                let size = |path: &Path| path.metadata().ok().map(|metadata| metadata.len());
                match crate::many::files_of(&path.display().to_string()) {
                    Ok(Some(files)) => files.iter().map(|file| size(Path::new(file))).sum(),
                    _ => size(path),
                }
            }
            Source::StandardInput | Source::Server(_) => None,
            Source::Memory(name) => match in_memory::find(name)? {
                Readable::Batches(batches) => Some(batches.size()),
                Readable::Bytes(bytes) => Some(bytes.len() as u64),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, RecordBatch};

    use super::*;
    use crate::Loan;

    #[test]
    fn texts_stand_for_sources() {
        assert_eq!(Source::of("-"), Source::StandardInput);
        assert_eq!(Source::of("a.csv"), Source::Path(Path::new("a.csv")));
        // A name that nobody lent is a path, and there may be a file of that name.
        assert!(Source::of("memory:0").is_path());
        let column: ArrayRef = Arc::new(Int64Array::from(vec![1, 2]));
        let loan = Loan::new(vec![RecordBatch::try_from_iter([("a", column)]).unwrap()]).unwrap();
        let name = loan.name().to_string();
        assert_eq!(Source::of(&name), Source::Memory(&name));
        assert!(Source::of(&name).size().is_some_and(|bytes| bytes >= 16));
        drop(loan);
        assert!(Source::of(&name).is_path());
    }
}
