//! Writes a release that was checked once more: a table in memory to a file, in any format. The
//! copy gets its name only if every cell that its bytes say is the cell of the release.

use std::path::Path;

use sfumato_core::column::{RawColumn, RawTable};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, Result};
use sfumato_io::{
    Format, Output, ReadOptions, Sink, WriteColumn, WriteOptions, commit_together, read,
    select_all, write_rows, write_text_unnamed,
};

use crate::manifest::{Manifest, ManifestFile, beside};
use crate::verify::failed_verification;

/// Copy the release of a manifest, which readers know by a name, to a file. The copy has a manifest
/// of its own beside it.
pub fn save(
    release: &str,
    manifest: &Manifest,
    path: &Path,
    observer: &dyn Observer,
) -> Result<Manifest> {
    let [listed] = manifest.files.as_slice() else {
        return Err(Error::unsupported("only a release of one file can be copied to a file"));
    };
    let table = read(release, &ReadOptions::default(), &mut select_all, observer)?;
    let text = path.display().to_string();
    let options = WriteOptions::for_destination(&text)?;
    let sink = Sink::Path(path.to_path_buf());
    let Output::File(file) = write_rows(
        sink.create()?,
        &table.columns.iter().map(as_written).collect::<Vec<_>>(),
        table.n_rows,
        &options,
        observer,
    )?
    else {
        return Err(Error::internal("a file was written to memory"));
    };
    let read_back = ReadOptions {
        format: Some(options.format),
        delimiter: Some(options.delimiter),
        header: Some(true),
        ..ReadOptions::default()
    };
    let written = file.path().display().to_string();
    let written = read(&written, &read_back, &mut select_all, observer)?;
    compare(&table, &written, options.format)?;
    let copied = ManifestFile {
        path: sink.file_name(),
        sha256: written.source.sha256.clone(),
        ..listed.clone()
    };
    let manifest = Manifest { files: vec![copied], ..manifest.clone() };
    let manifest_file = write_text_unnamed(&beside(path), &manifest.to_json(), false)?;
    commit_together(vec![manifest_file, file], || Ok(()))?;
    Ok(manifest)
}

fn as_written(column: &RawColumn) -> WriteColumn<'_> {
    WriteColumn {
        name: &column.name,
        values: &column.values,
        null: column.null,
        native_type: column.native_type.as_deref(),
        source: &column.codes,
    }
}

/// Refuse a copy that says anything else than its release.
fn compare(release: &RawTable, copy: &RawTable, format: Format) -> Result<()> {
    let (columns, copies) = (&release.columns, &copy.columns);
    if release.n_rows != copy.n_rows || columns.len() != copies.len() {
        return Err(failed_verification("the copy has other rows or columns than the release"));
    }
    // In CSV a null is an empty field.
    let has_nulls = format != Format::Csv;
    for (column, copied) in columns.iter().zip(copies) {
        let is_null = |column: &RawColumn, code: u32| has_nulls && column.null == Some(code);
        let mut same = vec![None; column.values.len()];
        let differs = column.name != copied.name
            || (0..release.n_rows).any(|row| {
                let (code, other) = (column.codes.get(row), copied.codes.get(row));
                let known = &mut same[code as usize];
                if *known == Some(other) {
                    return false;
                }
                *known = Some(other);
                column.values.get(code) != copied.values.get(other)
                    || is_null(column, code) != is_null(copied, other)
            });
        if differs {
            let name = &column.name;
            return Err(failed_verification(&format!(
                "column '{name}' of the copy isn't what was released"
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use sfumato_core::column::{Codes, Dictionary, Provenance};

    use super::*;

    fn table(texts: &[&str], codes: &[u8], null: Option<u32>) -> RawTable {
        let mut values = Dictionary::new();
        texts.iter().for_each(|text| {
            values.push(text);
        });
        let codes = Codes::U8(codes.to_vec());
        let column =
            RawColumn { name: "age".into(), codes, values, null, native_type: Some("Utf8".into()) };
        let source = Provenance::default();
        RawTable { n_rows: 3, columns: vec![column], header: vec!["age".into()], source }
    }

    #[test]
    fn a_copy_with_another_cell_is_refused() {
        let release = table(&["3*", "", "5*"], &[0, 1, 2], Some(1));
        // The codes of a copy are its own.
        compare(&release, &table(&["5*", "3*", ""], &[1, 2, 0], Some(2)), Format::Parquet).unwrap();
        compare(&release, &table(&["5*", "3*", ""], &[1, 2, 0], None), Format::Csv).unwrap();
        for (copy, format) in [
            (table(&["3*", "", "4*"], &[0, 1, 2], Some(1)), Format::Parquet),
            (table(&["3*", "", "5*"], &[0, 2, 2], Some(1)), Format::Parquet),
            (table(&["3*", "", "5*"], &[0, 1, 2], None), Format::Parquet),
            (RawTable { n_rows: 2, ..release.clone() }, Format::Csv),
            (RawTable { columns: Vec::new(), ..release.clone() }, Format::Csv),
        ] {
            let error = compare(&release, &copy, format).unwrap_err();
            assert_eq!(error.kind, sfumato_core::ErrorKind::Internal, "{error}");
        }
    }
}
