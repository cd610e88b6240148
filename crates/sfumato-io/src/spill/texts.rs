//! Texts of a column that has too many different ones to hold: one file, in which each text is
//! found by its place.
//!
//! A text is its length (four bytes), a checksum (four bytes) and its bytes. A row keeps the place,
//! so that rows can be divided and put into another order while their texts stay where they are.

use std::path::PathBuf;

use sfumato_core::Result;
use sfumato_core::memory::Reservation;

use super::disk::{Appender, BLOCK, Window};
use super::folder::SpillFolder;

/// The number of bytes of a text besides its own.
const HEAD: usize = 8;
/// The number of bytes that are read at once. Neighbours of a text are mostly texts of other
/// partitions, so reading far ahead would often be in vain.
const AHEAD: usize = 32 << 10;

/// The number of bytes that a text of so many bytes takes in a file.
pub fn text_bytes(len: usize) -> u64 {
    (HEAD + len) as u64
}

/// Writes texts one after the other. The file is removed when dropped, unless it was finished.
#[derive(Debug)]
pub struct TextWriter {
    appender: Appender,
    at: u64,
    record: Vec<u8>,
    _memory: Reservation,
}

impl TextWriter {
    /// A new file in the folder.
    pub fn create(folder: &SpillFolder) -> Result<Self> {
        let memory = folder.accountant().book("writing texts", BLOCK as u64);
        let appender = Appender::create(folder, "texts")?;
        Ok(TextWriter { appender, at: 0, record: Vec::new(), _memory: memory })
    }

    /// Append a text and return its place.
    pub fn push(&mut self, text: &str) -> Result<u64> {
        let place = self.at;
        self.record.clear();
        self.record.extend_from_slice(&(text.len() as u32).to_le_bytes());
        self.record.extend_from_slice(&crc32fast::hash(text.as_bytes()).to_le_bytes());
        self.record.extend_from_slice(text.as_bytes());
        self.appender.append(&self.record)?;
        self.at += text_bytes(text.len());
        Ok(place)
    }

    /// Write the rest, and return the name of the file in the folder. With `sync` it outlasts a
    /// crash, because a manifest will name it.
    pub fn finish(self, sync: bool) -> Result<String> {
        let path = self.appender.finish(sync)?;
        Ok(path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()))
    }
}

/// A finished file of texts.
#[derive(Debug, Clone)]
pub struct TextFile {
    folder: SpillFolder,
    path: PathBuf,
}

impl TextFile {
    /// The file with a name in a folder.
    pub fn open(folder: &SpillFolder, name: &str) -> Self {
        TextFile { folder: folder.clone(), path: folder.path().join(name) }
    }

    /// Visit the texts at some places, which must be in ascending order.
    pub fn read(
        &self,
        places: impl Iterator<Item = u64>,
        mut visit: impl FnMut(&str) -> Result<()>,
    ) -> Result<()> {
        let mut memory = self.folder.accountant().book("reading texts", AHEAD as u64);
        let mut window = Window::open(&self.path, AHEAD, self.folder.counts())?;
        for place in places {
            let head = window.bytes(place, HEAD)?;
            let number = |at: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| head[at + byte]));
            let (len, sum) = (number(0) as usize, number(4));
            if (len + HEAD) as u64 > memory.bytes() {
                memory.rebook((len + HEAD) as u64);
            }
            let bytes = window.bytes(place + HEAD as u64, len)?;
            match (crc32fast::hash(bytes) == sum).then(|| std::str::from_utf8(bytes)) {
                Some(Ok(text)) => visit(text)?,
                _ => return Err(window.damaged("a text's bytes have changed")),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use sfumato_core::ErrorKind;
    use sfumato_core::memory::Accountant;

    use super::*;

    fn read(file: &TextFile, places: &[u64]) -> Result<Vec<String>> {
        let mut texts = Vec::new();
        file.read(places.iter().copied(), |text| {
            texts.push(text.to_string());
            Ok(())
        })?;
        Ok(texts)
    }

    #[test]
    fn texts_are_found_by_their_places() {
        let home = tempfile::tempdir().unwrap();
        let accountant = Accountant::new(Some(1 << 20));
        let folder = SpillFolder::create(&home.path().join("o.csv"), None, &accountant).unwrap();
        let texts: Vec<String> =
            (0..3000).map(|i| "é".repeat(i * i % 700) + &i.to_string()).collect();
        let mut writer = TextWriter::create(&folder).unwrap();
        let places: Vec<u64> = texts.iter().map(|text| writer.push(text).unwrap()).collect();
        assert_eq!(places[1], text_bytes(texts[0].len()));
        let name = writer.finish(false).unwrap();
        let file = TextFile::open(&folder, &name);
        assert_eq!(read(&file, &places).unwrap(), texts);
        let some: Vec<u64> = places.iter().copied().step_by(7).collect();
        let expected: Vec<String> = texts.iter().step_by(7).cloned().collect();
        assert_eq!(read(&file, &some).unwrap(), expected);
        // The same place twice is the same text twice.
        assert_eq!(read(&file, &[places[5], places[5]]).unwrap(), [&*texts[5], &*texts[5]]);
        assert!(accountant.peak() <= 1 << 20 && accountant.used() == 0);

        let path = folder.path().join(&name);
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let error = read(&file, &places).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Io);
        assert!(error.message.contains("damaged"), "{error}");
        assert!(read(&file, &places[..2999]).is_ok());
        assert!(read(&file, &[places[2999] + 100_000]).is_err());
    }
}
