//! Writes a column chunk of texts from codes: a text is hashed once per append that uses it, and a
//! row is a number. The general writer would hash the text of every row again.
//!
//! The dictionary page holds the texts of the group's rows and no others. When it gets too large,
//! the rest of the group is written without it.

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, PageEncodingStats};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use sfumato_core::column::Dictionary;
use sfumato_core::{Error, Result};

use crate::intern::{Index, hash_text};
use crate::writers::WriteColumn;
use crate::writers::parquet::{LEVEL, hybrid};

/// The number of rows in a page of numbers.
const PAGE_ROWS: usize = 1 << 16;
/// The number of bytes of a page of texts, and of the largest dictionary.
const PAGE_BYTES: usize = 1 << 20;
/// The number of rows after which sizes are checked.
const STRIDE: usize = 1 << 10;
/// The number of a row without a text.
const NULL: u32 = u32::MAX;
/// The entry of a code whose text hasn't been seen yet.
const UNKNOWN: u32 = u32::MAX - 1;

/// A column chunk that is being written.
pub(super) struct TextChunk {
    descr: ColumnDescPtr,
    /// The texts of the group so far, unless there are too many.
    index: Index,
    texts: Dictionary,
    plain: bool,
    /// The rows of the current page: numbers of texts, or in a plain page only whether there is a
    /// text.
    rows: Vec<u32>,
    /// The texts of a plain page.
    bytes: Vec<u8>,
    /// Finished pages with their headers.
    pages: Vec<u8>,
    n_pages: [i32; 2],
    n_rows: usize,
    uncompressed: usize,
    compressor: zstd::bulk::Compressor<'static>,
}

/// For each code of one append, its number in the group.
pub(super) struct Known(Vec<u32>);

impl Known {
    /// The table of a column's codes before any of them is known.
    pub(super) fn nothing(column: &WriteColumn<'_>) -> Self {
        let mut known = vec![UNKNOWN; column.values.len()];
        if let Some(null) = column.null.and_then(|null| known.get_mut(null as usize)) {
            *null = NULL;
        }
        Known(known)
    }
}

impl TextChunk {
    pub(super) fn new(descr: ColumnDescPtr) -> Result<Self> {
        let compressor = zstd::bulk::Compressor::new(LEVEL)
            .map_err(|e| Error::internal(format!("starting to compress: {e}")))?;
        Ok(TextChunk {
            descr,
            index: Index::default(),
            texts: Dictionary::new(),
            plain: false,
            rows: Vec::new(),
            bytes: Vec::new(),
            pages: Vec::new(),
            n_pages: [0; 2],
            n_rows: 0,
            uncompressed: 0,
            compressor,
        })
    }

    /// The bytes of memory.
    pub(super) fn held(&self) -> usize {
        let rows = self.rows.capacity() * size_of::<u32>();
        self.texts.bytes() + rows + self.bytes.capacity() + self.pages.capacity()
    }

    /// Append rows by their codes.
    pub(super) fn append(
        &mut self,
        column: &WriteColumn<'_>,
        known: &mut Known,
        codes: &[u32],
    ) -> Result<(), ParquetError> {
        for codes in codes.chunks(STRIDE) {
            if self.plain {
                self.append_plain(column, codes)?;
            } else {
                self.append_numbers(column, known, codes)?;
            }
        }
        Ok(())
    }

    fn append_numbers(
        &mut self,
        column: &WriteColumn<'_>,
        known: &mut Known,
        codes: &[u32],
    ) -> Result<(), ParquetError> {
        for &code in codes {
            let known = &mut known.0[code as usize];
            if *known == UNKNOWN {
                let text = column.values.get_bytes(code);
                let number = self.index.intern(&mut self.texts, text, hash_text(text));
                *known = number.map_err(|e| ParquetError::General(e.message))?;
            }
            self.rows.push(*known);
        }
        if self.texts.bytes() > PAGE_BYTES {
            self.end_page()?;
            self.plain = true;
        } else if self.rows.len() >= PAGE_ROWS {
            self.end_page()?;
        }
        Ok(())
    }

    fn append_plain(
        &mut self,
        column: &WriteColumn<'_>,
        codes: &[u32],
    ) -> Result<(), ParquetError> {
        for &code in codes {
            if Some(code) == column.null {
                self.rows.push(NULL);
                continue;
            }
            put_text(column.values.get_bytes(code), &mut self.bytes);
            self.rows.push(0);
            if self.bytes.len() >= PAGE_BYTES {
                self.end_page()?;
            }
        }
        if self.rows.len() >= PAGE_ROWS {
            self.end_page()?;
        }
        Ok(())
    }

    /// Close the current page, if it has rows.
    fn end_page(&mut self) -> Result<(), ParquetError> {
        let n_rows = self.rows.len();
        if n_rows == 0 {
            return Ok(());
        }
        let mut page = vec![0; 4];
        let nulls = self.rows.iter().filter(|row| **row == NULL).count();
        if nulls == 0 {
            hybrid::repeat(1, n_rows, 1, &mut page);
        } else {
            let levels: Vec<u32> = self.rows.iter().map(|row| u32::from(*row != NULL)).collect();
            hybrid::encode(&levels, 1, &mut page);
            self.rows.retain(|row| *row != NULL);
        }
        let levels = page.len() as u32 - 4;
        page[..4].copy_from_slice(&levels.to_le_bytes());
        let encoding = if self.plain {
            page.append(&mut self.bytes);
            Encoding::PLAIN
        } else {
            let width = hybrid::width(self.texts.len());
            page.push(width as u8);
            hybrid::encode(&self.rows, width, &mut page);
            Encoding::RLE_DICTIONARY
        };
        self.rows.clear();
        let data = Page::DataPage {
            buf: self.compress(&page)?,
            num_values: n_rows as u32,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let bytes = self.with_header(data, page.len())?;
        self.pages.extend_from_slice(&bytes);
        self.n_pages[usize::from(self.plain)] += 1;
        self.n_rows += n_rows;
        Ok(())
    }

    fn compress(&mut self, bytes: &[u8]) -> Result<Bytes, ParquetError> {
        self.compressor.compress(bytes).map(Bytes::from).map_err(ParquetError::from)
    }

    /// A page as bytes of the file.
    fn with_header(&mut self, page: Page, uncompressed: usize) -> Result<Vec<u8>, ParquetError> {
        let mut sink = TrackedWrite::new(Vec::new());
        let spec = SerializedPageWriter::new(&mut sink)
            .write_page(CompressedPage::new(page, uncompressed))?;
        self.uncompressed += spec.uncompressed_size;
        sink.into_inner()
    }

    /// The chunk as bytes of the file, and its metadata for the file's footer.
    pub(super) fn close(mut self) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
        self.end_page()?;
        let mut chunk = Vec::new();
        if self.n_pages[0] > 0 {
            let mut texts = Vec::with_capacity(self.texts.bytes());
            self.texts.iter().for_each(|text| put_text(text.as_bytes(), &mut texts));
            let page = Page::DictionaryPage {
                buf: self.compress(&texts)?,
                num_values: self.texts.len() as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            chunk = self.with_header(page, texts.len())?;
        }
        let dictionary = chunk.len();
        chunk.append(&mut self.pages);
        let stats = [
            (PageType::DICTIONARY_PAGE, Encoding::PLAIN, i32::from(dictionary > 0)),
            (PageType::DATA_PAGE, Encoding::RLE_DICTIONARY, self.n_pages[0]),
            (PageType::DATA_PAGE, Encoding::PLAIN, self.n_pages[1]),
        ];
        let stats = stats
            .into_iter()
            .filter(|(.., count)| *count > 0)
            .map(|(page_type, encoding, count)| PageEncodingStats { page_type, encoding, count });
        let mut encodings = vec![Encoding::PLAIN, Encoding::RLE];
        encodings.extend((dictionary > 0).then_some(Encoding::RLE_DICTIONARY));
        let metadata = ColumnChunkMetaData::builder(self.descr)
            .set_compression(Compression::ZSTD(Default::default()))
            .set_encodings(encodings)
            .set_page_encoding_stats(stats.collect())
            .set_num_values(self.n_rows as i64)
            .set_total_compressed_size(chunk.len() as i64)
            .set_total_uncompressed_size(self.uncompressed as i64)
            .set_dictionary_page_offset((dictionary > 0).then_some(0))
            .set_data_page_offset(dictionary as i64)
            .build()?;
        let close = ColumnCloseResult {
            bytes_written: chunk.len() as u64,
            rows_written: self.n_rows as u64,
            metadata,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((chunk.into(), close))
    }
}

fn put_text(text: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(text.len() as u32).to_le_bytes());
    out.extend_from_slice(text);
}
