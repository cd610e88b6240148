//! `sfumato generate KIND --rows N -o FILE`

use std::io::Write as _;
use std::path::Path;

use clap::Args;
use sfumato_core::dataset::ValueKind;
use sfumato_core::observer::Observer;
use sfumato_core::registry::{Call, Params};
use sfumato_core::{Error, Result};
use sfumato_generate as generators;
use sfumato_io::{
    AtomicFile, Format, ReadOptions, WriteColumn, WriteOptions, read, select_all, write_rows,
};

use super::{Context, set_threads};

#[derive(Args)]
pub struct Generate {
    /// The kind, such as 'census' or 'census(setting=sparse)'; 'sfumato list generators' shows all.
    #[arg(value_name = "KIND")]
    kind: String,
    /// How many rows.
    #[arg(long, value_name = "N", value_parser = super::flags::whole)]
    rows: u64,
    /// Where to write the data; - for standard output.
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// The seed.
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Write the files that go with the data (hierarchies, what items are worth) into this folder.
    #[arg(long, value_name = "FOLDER")]
    companions: Option<String>,
}

impl Generate {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let call: Call = self.kind.parse()?;
        let generator = generators::find(&call.name)?;
        let params = Params::check(generator.info(), &call.args)?;
        if self.output == "-" {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            generators::generate(
                generator,
                &params,
                self.rows,
                self.seed,
                &mut out,
                &context.progress,
            )?;
            out.flush()
                .map_err(|error| Error::io(Path::new("standard output"), "write", &error))?;
        } else if let Some(options) = other_format(&self.output)? {
            // Generators make lines of text; other formats are written from these.
            if generator.columns(&params).is_empty() {
                return Err(Error::unsupported(format!(
                    "{} makes lines of items, which no other format holds",
                    call.name
                ))
                .in_file(&self.output)
                .hint("name a file that ends in .dat or .txt"));
            }
            let mut lines = AtomicFile::create_anywhere()?;
            let progress = &context.progress;
            generators::generate(generator, &params, self.rows, self.seed, &mut lines, progress)?;
            lines.flush_all()?;
            convert(&lines.path().display().to_string(), &self.output, &options, progress)?;
        } else {
            let path = Path::new(&self.output);
            let mut file = AtomicFile::create(path, false)?;
            generators::generate(
                generator,
                &params,
                self.rows,
                self.seed,
                &mut file,
                &context.progress,
            )
            .map_err(|error| error.in_file(&self.output))?;
            file.commit()?;
        }
        if let Some(folder) = &self.companions {
            std::fs::create_dir_all(folder)
                .map_err(|error| Error::io(Path::new(folder), "make the folder", &error))?;
            for (name, text) in generator.companions(&params) {
                sfumato_io::write_text_atomically(&Path::new(folder).join(name), &text, false)?;
            }
        }
        Ok(0)
    }
}

/// How to write a file whose name asks for another format than plain CSV or lines.
fn other_format(output: &str) -> Result<Option<WriteOptions>> {
    let name = Path::new(output).file_name().map(|name| name.to_string_lossy().to_lowercase());
    let name = name.unwrap_or_default();
    let is_other = [".parquet", ".pq", ".arrow", ".ipc", ".feather", ".jsonl", ".ndjson", ".tsv"]
        .iter()
        .any(|ending| name.contains(ending))
        || [".gz", ".zst"].iter().any(|ending| name.ends_with(ending));
    is_other.then(|| WriteOptions::for_destination(output)).transpose()
}

/// Write a CSV file in another format. Columns of numbers are numbers there.
fn convert(
    lines: &str,
    output: &str,
    options: &WriteOptions,
    observer: &dyn Observer,
) -> Result<()> {
    let reading = ReadOptions {
        format: Some(Format::Csv),
        header: Some(true),
        delimiter: Some(b','),
        hash: false,
        ..ReadOptions::default()
    };
    let table = read(lines, &reading, &mut select_all, observer)?;
    let types: Vec<Option<&str>> = table
        .columns
        .iter()
        .map(|column| match ValueKind::infer(column.values.iter()) {
            ValueKind::Integer => Some("Int64"),
            ValueKind::Decimal { .. } | ValueKind::Float => Some("Float64"),
            _ => None,
        })
        .collect();
    let columns: Vec<WriteColumn<'_>> = table
        .columns
        .iter()
        .zip(types)
        .map(|(column, native_type)| WriteColumn {
            name: &column.name,
            values: &column.values,
            null: column.null,
            native_type,
            source: &column.codes,
        })
        .collect();
    let file = AtomicFile::create(Path::new(output), false)?;
    write_rows(file, &columns, table.n_rows, options, observer)?.commit()
}
