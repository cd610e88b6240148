//! An Arrow stream, message by message: a message is decoded when all its bytes are there, so that
//! a length in a damaged stream never becomes memory.

use std::io::Read;

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::reader::StreamDecoder;
use arrow_ipc::root_as_message;
use arrow_schema::SchemaRef;
use sfumato_core::{Error, Result};

use super::bad;
use super::check::check_message;
use crate::decoder::damaged;

/// The batches of a stream.
pub(super) struct Batches<R> {
    reader: R,
    decoder: StreamDecoder,
    /// What the decoder hasn't taken yet of the last message.
    message: Buffer,
    /// A batch that came before the schema was asked for.
    next: Option<RecordBatch>,
}

impl<R: Read> Batches<R> {
    /// Read up to the schema.
    pub(super) fn open(reader: R) -> Result<(Self, SchemaRef)> {
        let (decoder, message) = (StreamDecoder::new(), Buffer::from(Vec::<u8>::new()));
        let mut batches = Batches { reader, decoder, message, next: None };
        loop {
            if let Some(schema) = batches.decoder.schema() {
                return Ok((batches, schema));
            }
            if !batches.fill()? {
                return Err(damaged());
            }
            batches.next = batches.decode()?;
        }
    }

    /// The next batch.
    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            if let Some(batch) = self.next.take() {
                return Ok(Some(batch));
            }
            if self.message.is_empty() && !self.fill()? {
                return Ok(None);
            }
            self.next = self.decode()?;
        }
    }

    fn decode(&mut self) -> Result<Option<RecordBatch>> {
        self.decoder.decode(&mut self.message).map_err(|e| bad(&e))
    }

    /// Read the next message. Returns false at the end.
    fn fill(&mut self) -> Result<bool> {
        let mut bytes = Vec::new();
        if !self.read(&mut bytes, 4, true)? {
            return Ok(false);
        }
        if bytes == [0xFF; 4] {
            self.read(&mut bytes, 4, false)?;
        }
        let prefix = bytes.len();
        let length = i32::from_le_bytes([
            bytes[prefix - 4],
            bytes[prefix - 3],
            bytes[prefix - 2],
            bytes[prefix - 1],
        ]);
        // A length of 0 is the end of the stream.
        if length == 0 {
            return Ok(false);
        }
        self.read(&mut bytes, u64::try_from(length).map_err(|_| damaged())?, false)?;
        let message = root_as_message(&bytes[prefix..]).map_err(|_| damaged())?;
        let body = u64::try_from(message.bodyLength()).map_err(|_| damaged())?;
        let body_start = bytes.len();
        self.read(&mut bytes, body, false)?;
        check_message(&bytes[prefix..body_start], |at| {
            let start = usize::try_from(at).ok().and_then(|at| body_start.checked_add(at));
            let word = start.and_then(|start| bytes.get(start..start.checked_add(8)?));
            word.and_then(|word| word.try_into().ok()).ok_or_else(damaged)
        })?;
        self.message = Buffer::from(bytes);
        Ok(true)
    }

    /// Append so many bytes. They are taken as they come, not reserved. Returns false at the end
    /// of the stream, if it may end here.
    fn read(&mut self, bytes: &mut Vec<u8>, n: u64, may_end: bool) -> Result<bool> {
        let read = self.reader.by_ref().take(n).read_to_end(bytes);
        match read.map_err(|e| Error::input(format!("it can't be read: {e}")))? as u64 {
            0 if may_end && n > 0 => Ok(false),
            read if read == n => Ok(true),
            _ => Err(damaged()),
        }
    }
}

impl<R: Read> Iterator for Batches<R> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Self::Item> {
        self.batch().transpose()
    }
}
