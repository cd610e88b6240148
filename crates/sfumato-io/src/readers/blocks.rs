//! Reads text in blocks: one thread reads the input and cuts it at record boundaries, workers parse
//! the blocks, and the results are merged in file order. The CSV and the JSON lines reader share
//! this.
//!
//! Only a few blocks are in memory, never the file: empty buffers are returned to the reading
//! thread as permits to read on. Errors are found in parallel and reported in file order.

use std::sync::mpsc::{Receiver, channel};

use memchr::{memchr, memchr_iter, memrchr};
use sfumato_core::memory::{Accountant, Reservation};
use sfumato_core::observer::{Observer, Unit};
use sfumato_core::{Error, Result};

use crate::input::{self, Input, Meter, read_full};
use crate::options::ReadOptions;
use crate::pipeline::{self, Feed};
use crate::readers::csv::boundary::Boundary;
use crate::scan::check_cancelled;
use crate::weight::Weight;

/// A mistake in the text of a block, before its place in the file is known.
#[derive(Debug)]
pub(crate) struct TextError {
    /// The offset of the mistake in the block.
    pub(crate) offset: usize,
    /// Whether the error names the byte of the line, or only the line.
    pub(crate) exact: bool,
    pub(crate) message: String,
    pub(crate) hint: Option<&'static str>,
    /// How many lines of the block come before this one, and the start of this one, if the reader
    /// changed the text so much that they can't be counted any more.
    pub(crate) line: Option<(u64, usize)>,
}

impl TextError {
    /// A mistake at a byte.
    pub(crate) fn at(offset: usize, message: impl Into<String>) -> Self {
        TextError { offset, exact: true, message: message.into(), hint: None, line: None }
    }

    /// Add a hint at what to do about it.
    pub(crate) fn hint(self, hint: &'static str) -> Self {
        TextError { hint: Some(hint), ..self }
    }

    /// The error with its line, and its column if that is wanted. The block begins with line
    /// `first_line`.
    pub(crate) fn locate(self, bytes: &[u8], name: &str, first_line: u64) -> Error {
        let before = &bytes[..self.offset.min(bytes.len())];
        let (lines, start) = self.line.unwrap_or_else(|| {
            let start = memrchr(b'\n', before).map_or(0, |n| n + 1);
            (memchr_iter(b'\n', before).count() as u64, start)
        });
        let mut error = Error::input(self.message).in_file(name).at_line(first_line + lines);
        if self.exact {
            error = error.at_column((before.len() - start + 1) as u64);
        }
        match self.hint {
            Some(hint) => error.hint(hint),
            None => error,
        }
    }
}

/// The lines of a block in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lines {
    first: u64,
    count: u64,
}

impl Lines {
    /// The line of the first of so many rows, if each row has a line of its own: then the line of
    /// every row is known. Otherwise there are empty lines or newlines in quotes among them.
    pub(crate) fn first_of(self, n_rows: usize) -> Option<u64> {
        (self.count == n_rows as u64).then_some(self.first)
    }
}

/// Receives the blocks in order: their bytes and lines, and what workers made of them.
pub(crate) type Receive<'a, B> = dyn FnMut((&[u8], Lines), B) -> Result<()> + 'a;

/// The first byte that text can't contain: NUL, or one that isn't UTF-8.
pub(crate) fn check_text(bytes: &[u8]) -> Option<TextError> {
    let bad = match std::str::from_utf8(bytes) {
        Ok(_) => None,
        Err(e) => Some(e.valid_up_to()),
    };
    let nul = memchr(0, &bytes[..bad.unwrap_or(bytes.len())]);
    if let Some(offset) = nul {
        // Text in UTF-16 has a NUL beside every ASCII letter.
        let around = &bytes[offset.saturating_sub(16)..bytes.len().min(offset + 16)];
        let zeros = memchr_iter(0, around).count();
        let utf16 = zeros * 3 >= around.len() && zeros < around.len();
        return Some(if utf16 {
            TextError::at(offset, "this looks like UTF-16").hint("say --encoding utf-16")
        } else {
            TextError::at(offset, "there is a NUL byte in the text").hint("is this a text file?")
        });
    }
    bad.map(|offset| {
        TextError::at(offset, format!("byte 0x{:02x} isn't UTF-8", bytes[offset]))
            .hint("say its encoding, such as --encoding windows-1252, or convert the file to UTF-8")
    })
}

struct Chunk {
    bytes: Vec<u8>,
    len: usize,
    /// The number of bytes read from the system when this chunk was cut, for the progress.
    read: u64,
}

struct Parsed<B> {
    chunk: Chunk,
    lines: u64,
    block: Result<B, TextError>,
    /// The memory of the block, until it is received.
    _memory: Option<Reservation>,
}

/// A text to read in blocks: an input of which the first bytes were already read.
pub(crate) struct Text<'a> {
    pub(crate) input: Input,
    /// Bytes already taken from the input, starting with a record.
    pub(crate) pending: Vec<u8>,
    /// The line that `pending` begins with.
    pub(crate) first_line: u64,
    pub(crate) boundary: Boundary,
    pub(crate) options: &'a ReadOptions,
}

impl Text<'_> {
    /// Parse all blocks in parallel and pass them on in order. Returns the meter of the input.
    pub(crate) fn run<B: Weight + Send + 'static>(
        self,
        step: &str,
        work: &(dyn Fn(&mut [u8]) -> Result<B, TextError> + Sync),
        each: &mut Receive<'_, B>,
        observer: &dyn Observer,
    ) -> Result<Meter> {
        let Text { input, pending, first_line, boundary, options } = self;
        let name = input.name().to_owned();
        let meter = input.meter.clone();
        observer.begin(step, input.size, Unit::Bytes);
        let (buffers, empty) = channel();
        let in_flight = pipeline::blocks_in_flight();
        for _ in 0..in_flight {
            buffers.send(Vec::new()).expect("the receiver is in this function");
        }
        let block = block_bytes(options, &input);
        let cutter = Cutter {
            block,
            input,
            carry: pending,
            boundary,
            limit: options.max_record_bytes.min(1 << 31),
            memory: options.memory.book("text that is read", 0),
        };
        let parse = |job: Result<Chunk>| job.map(|chunk| parse(chunk, work, &options.memory));
        let mut line = first_line;
        let mut reported = 0;
        let result = pipeline::ordered(
            in_flight,
            // Not a scoped thread: after an error nobody waits for a read of standard input that
            // may never end.
            |feed| drop(std::thread::spawn(move || cutter.run(&empty, &feed))),
            &parse,
            &mut |parsed: Result<Parsed<B>>| {
                check_cancelled(observer)?;
                let Parsed { chunk, lines, block, _memory } =
                    parsed.map_err(|e| locate_long_record(e, line))?;
                let bytes = &chunk.bytes[..chunk.len];
                let block = block.map_err(|e| e.locate(bytes, &name, line))?;
                each((bytes, Lines { first: line, count: lines }), block)?;
                line += lines;
                observer.advance(chunk.read - reported);
                reported = chunk.read;
                // An error means that the reading thread has finished.
                let _ = buffers.send(chunk.bytes);
                Ok(())
            },
        );
        observer.end();
        result.map(|()| meter)
    }
}

/// Add the line to an error about a long record. The reading thread doesn't know lines; its error
/// says how many lines after the last block the record is.
fn locate_long_record(mut error: Error, line: u64) -> Error {
    error.place.line = error.place.line.map(|relative| relative + line);
    error
}

fn parse<B: Weight>(
    mut chunk: Chunk,
    work: &(dyn Fn(&mut [u8]) -> Result<B, TextError> + Sync),
    memory: &Accountant,
) -> Parsed<B> {
    let bytes = &mut chunk.bytes[..chunk.len];
    let lines = memchr_iter(b'\n', bytes).count() as u64;
    let bad = check_text(bytes);
    let mut block = work(bytes);
    if let Some(bad) = bad
        && block.as_ref().err().is_none_or(|e| bad.offset < e.offset)
    {
        block = Err(bad);
    }
    let memory = block.as_ref().ok().map(|block| memory.book(BLOCKS, block.bytes()));
    Parsed { chunk, lines, block, _memory: memory }
}

/// The size of a block: what the options say, but not much more than the whole input, because
/// making room for four megabytes costs more than reading a small file.
fn block_bytes(options: &ReadOptions, input: &Input) -> usize {
    // Places in a block are numbers of 32 bits.
    let block = options.block_bytes.clamp(1, 1 << 30);
    if input.size == 0 || input.compression.is_some() {
        return block;
    }
    // One byte more, so that the first read already finds the end.
    let whole = usize::try_from(input.size).map_or(block, |size| size.saturating_add(1));
    block.min(whole.max(SMALL_INPUT))
}

/// What is booked for blocks that were parsed and wait.
pub(crate) const BLOCKS: &str = "blocks that were read";

/// Inputs whose size isn't above this get a block of this size: a file may also grow, or its
/// system may not know its size.
const SMALL_INPUT: usize = 1 << 16;

/// Reads the input and cuts it into chunks of whole records.
struct Cutter {
    input: Input,
    carry: Vec<u8>,
    boundary: Boundary,
    block: usize,
    limit: usize,
    /// The memory of all buffers.
    memory: Reservation,
}

impl Cutter {
    fn run<B>(mut self, empty: &Receiver<Vec<u8>>, feed: &Feed<Result<Chunk>, Result<Parsed<B>>>) {
        while let Ok(buffer) = empty.recv() {
            match self.next(buffer) {
                Ok(Some(chunk)) => {
                    if !feed.job(Ok(chunk)) {
                        return;
                    }
                }
                Ok(None) => return,
                Err(error) => {
                    feed.job(Err(error));
                    return;
                }
            }
        }
    }

    fn next(&mut self, mut bytes: Vec<u8>) -> Result<Option<Chunk>> {
        let before = bytes.capacity() + self.carry.capacity();
        let cut = self.cut(&mut bytes)?;
        // Buffers only grow until all blocks were read.
        let more = (bytes.capacity() + self.carry.capacity()).saturating_sub(before);
        self.memory.rebook(self.memory.bytes() + more as u64);
        Ok(cut.map(|len| Chunk { bytes, len, read: self.input.meter.bytes() }))
    }

    /// Read text until it can be cut behind a record, and say where; `None` at the end.
    fn cut(&mut self, bytes: &mut Vec<u8>) -> Result<Option<usize>> {
        // Buffers keep their length when they are used again, so that they are zeroed only once.
        let wanted = self.carry.len() + self.block + 1;
        if bytes.len() < wanted {
            bytes.resize(wanted, 0);
        }
        let mut len = self.carry.len();
        bytes[..len].copy_from_slice(&self.carry);
        self.carry.clear();
        let mut scan = self.boundary.start();
        loop {
            if bytes.len() < len + self.block + 1 {
                bytes.resize((len + self.block + 1).max(len * 2), 0);
            }
            let n = read_full(&mut self.input.reader, &mut bytes[len..len + self.block])
                .map_err(|e| input::read_error(&self.input.path, self.input.compression, &e))?;
            len += n;
            let end = n < self.block;
            if end {
                if len == 0 {
                    return Ok(None);
                }
                // The last line may lack its newline; a buffer always has room for one.
                if bytes[len - 1] != b'\n' {
                    bytes[len] = b'\n';
                    len += 1;
                }
            }
            scan.advance(&bytes[..len], self.boundary, end);
            let cut = if end { len } else { scan.boundary };
            if len - cut > self.limit {
                let line = memchr_iter(b'\n', &bytes[..scan.opened]).count() as u64;
                return Err(Error::input(format!("a record is longer than {} bytes", self.limit))
                    .in_file(self.input.name())
                    .at_line(line)
                    .hint("is there a quote that is never closed?"));
            }
            if cut > 0 {
                self.carry.extend_from_slice(&bytes[cut..len]);
                return Ok(Some(cut));
            }
        }
    }
}
