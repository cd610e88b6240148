//! Lines with one record each. Blocks of lines are parsed in parallel, as numbers if they contain
//! nothing else, and otherwise as names.

mod named;
mod numbers;

use sfumato_core::column::{Dictionary, Provenance};
use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastSet, Result};

use crate::baskets::pieces::{Piece, Pieces};
use crate::baskets::{BasketLayout, BasketOptions, ReadBaskets, Separator, item};
use crate::encoding::Encoding;
use crate::input::Input;
use crate::readers::blocks::{Lines, Text, TextError};
use crate::readers::csv::boundary::Boundary;

/// How to read a line.
pub(crate) struct Rules<'a> {
    separator: Separator,
    key: bool,
    keep_keys: bool,
    missing: FastSet<&'a [u8]>,
    /// Whether a number may mean missing, which only the slow parser knows.
    odd_numbers: bool,
}

impl<'a> Rules<'a> {
    fn new(separator: Separator, key: bool, options: &'a BasketOptions) -> Self {
        let missing: FastSet<&[u8]> = options.missing.iter().map(|text| text.as_bytes()).collect();
        let odd_numbers = missing.iter().any(|text| item::number(text).is_some());
        Rules { separator, key, keep_keys: key && options.keep_keys, missing, odd_numbers }
    }

    fn parse(&self, bytes: &[u8]) -> Result<Piece, TextError> {
        match numbers::parse(bytes, self) {
            Some(piece) => Ok(piece),
            None => named::parse(bytes, self),
        }
    }
}

/// Read baskets from lines.
pub(crate) fn read(
    path: &str,
    separator: Separator,
    key: bool,
    options: &BasketOptions,
    observer: &dyn Observer,
) -> Result<ReadBaskets> {
    let mut input = Input::open(path, options.file.hash)?;
    // An item may be called like the first bytes of a Parquet file, but no text has NUL.
    if let Some(format) = input.format.filter(|_| input.proven)
        && input.peek(256)?.contains(&0)
    {
        return Err(Error::input(format!("this is a {format} file, not lines of text"))
            .in_file(input.name()));
    }
    let encoding = input.decode(options.file.encoding)?;
    let mut start = input.take_start(3)?;
    if start == b"\xEF\xBB\xBF" {
        start.clear();
    }
    let mut source = Provenance {
        path: input.path.clone(),
        format: "lines".into(),
        compression: input.compression.map(|c| c.name().into()),
        encoding: encoding.map(Encoding::name),
        ..Provenance::default()
    };
    let name = input.name().to_owned();
    let rules = Rules::new(separator, key, options);
    let mut pieces = Pieces::new();
    let mut crlf = None;
    let text = Text {
        input,
        pending: start,
        first_line: 1,
        boundary: Boundary::Line,
        options: &options.file,
    };
    let mut each = |(bytes, _): (&[u8], Lines), piece: Piece| {
        crlf.get_or_insert_with(|| {
            let first = memchr::memchr(b'\n', bytes).unwrap_or(0);
            bytes[..first].ends_with(b"\r")
        });
        pieces.add(piece).map_err(|e| e.in_file(name.clone()))
    };
    let meter = text.run("read", &|bytes: &mut [u8]| rules.parse(bytes), &mut each, observer)?;
    source.bytes = meter.bytes();
    source.sha256 = meter.sha256();
    source.crlf = crlf == Some(true);
    let joined = pieces.finish()?;
    Ok(ReadBaskets {
        names: joined.names,
        sets: joined.sets,
        keys: rules.keep_keys.then_some(joined.keys),
        utilities: None,
        repeated: joined.repeated,
        missing: joined.missing,
        numeric: false,
        release_layout: BasketLayout::Lines { separator, key: false },
        source,
    })
}

/// Add a key. In a text without a mistake it is UTF-8; other texts are refused later.
fn push_key(keys: &mut Dictionary, key: &[u8]) {
    keys.push(std::str::from_utf8(key).unwrap_or(""));
}

/// Whether a byte is a blank, which may stand around items.
#[inline(always)]
fn is_blank(byte: u8) -> bool {
    byte == b' ' || byte == b'\t'
}
