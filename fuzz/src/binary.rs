//! Files in formats that decoders of other people read: Arrow and Parquet; and lines of JSON.

use std::path::Path;

use sfumato_core::column::RawTable;
use sfumato_core::observer::Unobserved;
use sfumato_io::{
    AtomicFile, ReadOptions, WriteColumn, WriteOptions, read, select_all, write_rows,
};

use crate::targets::{shape, with_file};

/// A small table, with a missing cell and texts beyond ASCII.
const TABLE: &[u8] = "a,b,c\n1,x,2.5\n2,\u{e9},\n3,x,-7.25\n".as_bytes();

/// The table in the format of an ending.
pub fn samples(ending: &str) -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let path = folder.path().join(format!("sample{ending}"));
    with_file(TABLE, ".csv", |csv| {
        let table = read(csv, &ReadOptions::default(), &mut select_all, &Unobserved)
            .expect("the sample can be read");
        write(&table, &path);
    });
    vec![std::fs::read(&path).expect("the sample was written")]
}

fn write(table: &RawTable, path: &Path) {
    let columns: Vec<WriteColumn<'_>> = table
        .columns
        .iter()
        .map(|column| WriteColumn {
            name: &column.name,
            values: &column.values,
            null: column.null,
            native_type: None,
            source: &column.codes,
        })
        .collect();
    let options = WriteOptions::for_destination(&path.display().to_string());
    let options = options.expect("the format is known by its ending");
    let file = AtomicFile::create(path, false).expect("a temporary file can be made");
    write_rows(file, &columns, table.n_rows, &options, &Unobserved)
        .and_then(|written| written.commit())
        .expect("the sample can be written");
}

/// Read an input in the format of an ending.
pub fn feed(input: &[u8], ending: &str) -> String {
    with_file(input, ending, |path| {
        match read(path, &ReadOptions::default(), &mut select_all, &Unobserved) {
            Ok(table) => format!("{} columns", table.columns.len()),
            Err(error) => {
                assert!(error.kind == sfumato_core::ErrorKind::Input, "{error}");
                shape(&error.message)
            }
        }
    })
}
