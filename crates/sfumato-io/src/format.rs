//! File formats and compressions: their names, and how they are recognized by an extension or the
//! first bytes.
//!
//! Nothing here opens a file.

use std::path::Path;
use std::str::FromStr;

use sfumato_core::{Error, Result};

/// A file format that can be read and written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Delimited text with a header line.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC: the file format (also called Feather 2); the stream format is read too.
    ArrowIpc,
    /// One JSON object per line.
    JsonLines,
}

/// A compression around a whole text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// The format of gzip.
    Gzip,
    /// The format of Zstandard.
    Zstd,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 4] =
        [Format::Csv, Format::Parquet, Format::ArrowIpc, Format::JsonLines];

    /// The name, as in `--format` and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Parquet => "parquet",
            Format::ArrowIpc => "arrow",
            Format::JsonLines => "jsonl",
        }
    }

    /// The format for an extension without its dot, in upper or lower case.
    pub fn from_extension(extension: &str) -> Option<Format> {
        Some(match extension.to_ascii_lowercase().as_str() {
            "csv" | "tsv" | "tab" | "txt" | "data" => Format::Csv,
            "parquet" | "pq" => Format::Parquet,
            "arrow" | "arrows" | "ipc" | "feather" => Format::ArrowIpc,
            "jsonl" | "ndjson" | "json" => Format::JsonLines,
            _ => return None,
        })
    }

    /// The format that the first bytes of a file prove. Text formats can't be proven.
    pub(crate) fn from_magic(start: &[u8]) -> Option<Format> {
        if start.starts_with(b"PAR1") {
            Some(Format::Parquet)
        } else if start.starts_with(b"ARROW1") || start.starts_with(&[0xFF; 4]) {
            Some(Format::ArrowIpc)
        } else {
            None
        }
    }

    /// The text format that the first bytes suggest: an object is JSON, all else is CSV.
    pub(crate) fn from_text(start: &[u8]) -> Format {
        let start = start.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(start).trim_ascii_start();
        let json = start.first() == Some(&b'{')
            && matches!(start[1..].trim_ascii_start().first(), None | Some(b'"' | b'}'));
        if json { Format::JsonLines } else { Format::Csv }
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Format::from_extension(name)
            .or_else(|| Format::ALL.into_iter().find(|f| f.name().eq_ignore_ascii_case(name)))
            .ok_or_else(|| {
                Error::params(format!("unknown format '{name}'"))
                    .hint("the formats are csv, parquet, arrow and jsonl")
            })
    }
}

impl std::fmt::Display for Format {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

impl Compression {
    /// The name, as in reports.
    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
        }
    }

    fn from_extension(extension: &str) -> Option<Compression> {
        match extension.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Some(Compression::Gzip),
            "zst" | "zstd" => Some(Compression::Zstd),
            _ => None,
        }
    }

    pub(crate) fn from_magic(start: &[u8]) -> Option<Compression> {
        if start.starts_with(&[0x1F, 0x8B]) {
            Some(Compression::Gzip)
        } else if start.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]) {
            Some(Compression::Zstd)
        } else {
            None
        }
    }
}

/// The format and the compression that the extensions of a path stand for. The extension of the
/// format comes before that of the compression.
pub(crate) fn of_extensions(path: &str) -> (Option<Format>, Option<Compression>) {
    let name = Path::new(path).file_name().and_then(|n| n.to_str()).unwrap_or("");
    let mut parts = name.rsplit('.');
    let last = parts.next().filter(|last| last.len() < name.len()).unwrap_or("");
    match Compression::from_extension(last) {
        Some(compression) => {
            let inner = name[..name.len() - last.len() - 1].rsplit_once('.').map_or("", |(_, e)| e);
            (Format::from_extension(inner), Some(compression))
        }
        None => (Format::from_extension(last), None),
    }
}

/// The format and compression that the extensions of a destination ask for: `out.csv.gz` is
/// compressed CSV. A path without an extension (`-`, `out`) is plain CSV; an unknown extension is
/// an error.
pub fn format_of_destination(path: &str) -> Result<(Format, Option<Compression>)> {
    let (format, compression) = of_extensions(path);
    let inner = match compression {
        Some(_) => path.rsplit_once('.').map_or(path, |(inner, _)| inner),
        None => path,
    };
    let format = match (format, Path::new(inner).extension().and_then(|e| e.to_str())) {
        (Some(format), _) => format,
        (None, None) => Format::Csv,
        (None, Some(unknown)) => {
            return Err(Error::params(format!(
                "can't tell the format of the output from '.{unknown}'"
            ))
            .in_file(path)
            .hint(match unknown {
                "dat" | "txt" | "data" => {
                    "use .csv, .tsv, .parquet, .arrow or .jsonl; if each line is a list of items, \
                     say --baskets lines"
                }
                _ => {
                    "use .csv, .tsv, .parquet, .arrow or .jsonl, and .gz or .zst after a text \
                     format"
                }
            }));
        }
    };
    if compression.is_some() && matches!(format, Format::Parquet | Format::ArrowIpc) {
        return Err(Error::params(format!(
            "a {format} file has its own compression and can't be compressed again"
        ))
        .in_file(path)
        .hint("drop the .gz or .zst from the name"));
    }
    Ok((format, compression))
}

/// The delimiter that a path asks for: a tab for `.tsv`, else a comma.
pub fn delimiter_of_destination(path: &str) -> u8 {
    let lower = path.to_ascii_lowercase();
    let tab =
        [".tsv", ".tab"].iter().any(|e| lower.ends_with(e) || lower.contains(&format!("{e}.")));
    if tab { b'\t' } else { b',' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations() {
        let of = |p: &str| format_of_destination(p).unwrap();
        assert_eq!(of("a/b.csv"), (Format::Csv, None));
        assert_eq!(of("b.CSV.gz"), (Format::Csv, Some(Compression::Gzip)));
        assert_eq!(of("b.jsonl.zst"), (Format::JsonLines, Some(Compression::Zstd)));
        assert_eq!(of("b.parquet"), (Format::Parquet, None));
        assert_eq!(of("-"), (Format::Csv, None));
        assert_eq!(of("dir.x/out"), (Format::Csv, None));
        assert_eq!(of("out.gz"), (Format::Csv, Some(Compression::Gzip)));
        let error = format_of_destination("b.parquet.gz").unwrap_err();
        assert_eq!(
            error.to_string(),
            "b.parquet.gz: a parquet file has its own compression and can't be compressed again"
        );
        let error = format_of_destination("b.xls").unwrap_err();
        assert_eq!(error.to_string(), "b.xls: can't tell the format of the output from '.xls'");
    }

    #[test]
    fn delimiters() {
        assert_eq!(delimiter_of_destination("a.tsv"), b'\t');
        assert_eq!(delimiter_of_destination("a.TSV.gz"), b'\t');
        assert_eq!(delimiter_of_destination("a.csv"), b',');
    }

    #[test]
    fn first_bytes() {
        assert_eq!(Format::from_magic(b"PAR1...."), Some(Format::Parquet));
        assert_eq!(Format::from_magic(b"ARROW1\0\0"), Some(Format::ArrowIpc));
        assert_eq!(Format::from_magic(b"a,b"), None);
        assert_eq!(Format::from_text(b" {\"a\": 1}"), Format::JsonLines);
        assert_eq!(Format::from_text(b"{a},b"), Format::Csv);
        assert_eq!("NDJSON".parse::<Format>().unwrap(), Format::JsonLines);
        assert_eq!(Format::from_str("xml").unwrap_err().message, "unknown format 'xml'");
    }
}
