//! Damaged files of every format: each is read or refused with a sentence, and nothing panics.
//!
//! `SFUMATO_DAMAGED` says how many files of each format are tried; `cargo xtask soak` tries
//! 100,000. A file that panics is kept beside the others in the system's temporary folder.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use arrow_array::RecordBatch;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression as Codec, ZstdLevel};
use parquet::file::properties::WriterProperties;
use sfumato_core::ErrorKind;
use sfumato_core::observer::Unobserved;
use sfumato_io::*;

use super::formats::typed_batch;

/// How many files of each format are damaged, if nobody says how many.
const FILES: u64 = 200;

/// Numbers that lengths, offsets and counts don't expect.
const ODD: [i64; 9] = [0, -1, 1, i64::MAX, i64::MIN, i32::MAX as i64, 1 << 31, 1 << 40, 1 << 62];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }

    /// Damage a file in one to four places.
    fn damage(&mut self, sound: &[u8]) -> Vec<u8> {
        let mut bytes = sound.to_vec();
        for _ in 0..1 + self.below(4) {
            let at = self.below(bytes.len());
            let end = (at + 1 + self.below(16)).min(bytes.len());
            match self.below(9) {
                0 => bytes.truncate(at),
                1 => drop(bytes.drain(at..end)),
                2 => {
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
                3 => bytes[at..end].fill(0),
                4 | 5 => {
                    let odd = ODD[self.below(ODD.len())].to_le_bytes();
                    let width = [4, 8][self.below(2)].min(bytes.len() - at);
                    bytes[at..at + width].copy_from_slice(&odd[..width]);
                }
                6 => bytes[at] = self.below(256) as u8,
                _ => bytes[at] ^= 1 << self.below(8),
            }
            if bytes.is_empty() {
                break;
            }
        }
        bytes
    }
}

/// Panics that become an error about the file aren't shown.
fn quiet_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !panics_are_caught() {
                before(info);
            }
        }));
    });
}

/// Read a file in both ways, and return what was wrong with the answer.
fn read_both(path: &str) -> Option<String> {
    let options = ReadOptions { batch_rows: 2, block_bytes: 1 << 12, ..ReadOptions::default() };
    let read_whole = || read(path, &options, &mut select_all, &Unobserved).map(|_| ());
    let read_local = || {
        let mut ignore = |_: &LocalBlock<'_>| Ok(());
        scan_local(path, &options, &mut select_all, &mut ignore, &Unobserved).map(|_| ())
    };
    for read in [&read_whole as &dyn Fn() -> sfumato_core::Result<()>, &read_local] {
        match catch_unwind(AssertUnwindSafe(read)) {
            Err(_) => return Some("a panic".into()),
            Ok(Err(error)) if error.kind != ErrorKind::Input => return Some(format!("{error:?}")),
            Ok(Err(error)) if error.message.contains('\u{1b}') => {
                return Some("an escape sequence".into());
            }
            Ok(_) => {}
        }
    }
    None
}

fn try_damaged(ending: &str, sound: &[u8]) {
    quiet_hook();
    let files = std::env::var("SFUMATO_DAMAGED").ok().and_then(|n| n.parse().ok());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(format!("damaged.{ending}"));
    std::fs::write(&path, sound).unwrap();
    let name = path.to_str().unwrap();
    read(name, &ReadOptions::default(), &mut select_all, &Unobserved).unwrap();
    let seed = std::env::var("PROPTEST_RNG_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random = Random(seed.unwrap_or(1u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for n in 0..files.unwrap_or(FILES) {
        let bytes = random.damage(sound);
        std::fs::write(&path, &bytes).unwrap();
        if let Some(wrong) = read_both(name) {
            let kept = std::env::temp_dir().join(format!("sfumato-damaged-{n}.{ending}"));
            std::fs::write(&kept, &bytes).unwrap();
            panic!("file {n} of .{ending}: {wrong}; it is kept as {}", kept.display());
        }
    }
}

/// Two batches, so that a file has several blocks.
fn batches() -> [RecordBatch; 2] {
    let batch = typed_batch();
    [batch.clone(), batch.slice(1, 2)]
}

fn ipc(compression: Option<CompressionType>, is_stream: bool) -> Vec<u8> {
    let options = IpcWriteOptions::default().try_with_compression(compression).unwrap();
    let (mut bytes, [first, second]) = (Vec::new(), batches());
    if is_stream {
        let mut writer =
            StreamWriter::try_new_with_options(&mut bytes, &first.schema(), options).unwrap();
        writer.write(&first).unwrap();
        writer.write(&second).unwrap();
        writer.finish().unwrap();
    } else {
        let mut writer =
            FileWriter::try_new_with_options(&mut bytes, &first.schema(), options).unwrap();
        writer.write(&first).unwrap();
        writer.write(&second).unwrap();
        writer.finish().unwrap();
    }
    bytes
}

#[test]
fn arrow_files() {
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        try_damaged("arrow", &ipc(compression, false));
    }
}

#[test]
fn arrow_streams() {
    for compression in [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)] {
        try_damaged("arrows", &ipc(compression, true));
    }
}

#[test]
fn parquet_files() {
    let codecs =
        [Codec::UNCOMPRESSED, Codec::SNAPPY, Codec::ZSTD(ZstdLevel::default()), Codec::LZ4_RAW];
    for (n, codec) in codecs.into_iter().enumerate() {
        let properties = WriterProperties::builder()
            .set_compression(codec)
            .set_dictionary_enabled(n % 2 == 0)
            .set_max_row_group_row_count(Some(2));
        let [first, second] = batches();
        let mut bytes = Vec::new();
        let mut writer =
            ArrowWriter::try_new(&mut bytes, first.schema(), Some(properties.build())).unwrap();
        writer.write(&first).unwrap();
        writer.write(&second).unwrap();
        writer.close().unwrap();
        try_damaged("parquet", &bytes);
    }
}

#[test]
fn texts() {
    let csv = "a,b,c\n1,\"x,y\",3\n4,\"say \"\"hi\"\"\",\u{e9}\n,,\n";
    try_damaged("csv", csv.as_bytes());
    try_damaged("tsv", csv.replace(',', "\t").as_bytes());
    let lines = "{\"a\":1,\"b\":\"x\\u00e9\",\"c\":null}\n{\"a\":-2.5e3,\"b\":\"\",\"c\":true}\n";
    try_damaged("jsonl", lines.as_bytes());
    let mut zipped = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut zipped, csv.as_bytes()).unwrap();
    try_damaged("csv.gz", &zipped.finish().unwrap());
    try_damaged("jsonl.zst", &zstd::encode_all(lines.as_bytes(), 1).unwrap());
}
