//! Reads from an instrumented program which parts of the source its counters stand for. The format
//! is LLVM's coverage mapping.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use super::bytes::Bytes;
use super::profile::Counts;

/// A part of a source file: from line and column to line and column.
pub type Place = (u32, u32, u32, u32);

/// How often each part of each file was reached.
pub type Reached = BTreeMap<String, BTreeMap<Place, u64>>;

/// Add to the parts of files how often they were reached.
pub fn add(program: &[u8], counts: &Counts, reached: &mut Reached) -> Result<(), String> {
    let files = file_lists(section(program, "__llvm_covmap")?)?;
    let mut functions = Bytes(section(program, "__llvm_covfun")?);
    while functions.0.len() >= 28 {
        let start = functions.0.len();
        let (name, size) = (functions.u64()?, functions.u32()? as usize);
        let (shape, list) = (functions.u64()?, functions.u64()?);
        let mapping = functions.take(size)?;
        let padding = (8 - (start - functions.0.len()) % 8) % 8;
        functions = functions.skip(padding.min(functions.0.len()))?;
        let Some(files) = files.get(&list) else { continue };
        function(mapping, files, counts.get(&(name, shape)), reached)?;
    }
    Ok(())
}

/// A section of a program in the ELF format.
fn section<'a>(program: &'a [u8], name: &str) -> Result<&'a [u8], String> {
    let at = |offset: usize| Bytes(program).skip(offset);
    if program.get(..5) != Some(b"\x7fELF\x02") {
        return Err("only 64-bit programs in the ELF format are read here".into());
    }
    let table = at(0x28)?.u64()? as usize;
    let (size, count) = (at(0x3A)?.u16()? as usize, at(0x3C)?.u16()? as usize);
    let names = at(0x3E)?.u16()? as usize;
    let place = |section: usize| -> Result<(usize, usize), String> {
        let mut head = at(table + section * size + 0x18)?;
        Ok((head.u64()? as usize, head.u64()? as usize))
    };
    for section in 0..count {
        let mut called = at(place(names)?.0 + at(table + section * size)?.u32()? as usize)?;
        if called.take(name.len()).is_ok_and(|found| found == name.as_bytes())
            && called.take(1).is_ok_and(|end| end == [0])
        {
            let (start, length) = place(section)?;
            return at(start)?.take(length);
        }
    }
    Err(format!("the program has no section {name}: it isn't instrumented"))
}

/// The names of files of each unit, by the hash of their list.
fn file_lists(section: &[u8]) -> Result<BTreeMap<u64, Vec<String>>, String> {
    let (mut lists, mut rest) = (BTreeMap::new(), Bytes(section));
    while rest.0.len() >= 16 {
        let start = rest.0.len();
        let (_, size, _, _) = (rest.u32()?, rest.u32()? as usize, rest.u32()?, rest.u32()?);
        let list = rest.take(size)?;
        let padding = (8 - (start - rest.0.len()) % 8) % 8;
        rest = rest.skip(padding.min(rest.0.len()))?;
        lists.insert(hash(list)?, names(list)?);
    }
    Ok(lists)
}

fn names(list: &[u8]) -> Result<Vec<String>, String> {
    let mut list = Bytes(list);
    let (count, length, compressed) = (list.short()?, list.short()?, list.short()? as usize);
    let mut plain = Vec::new();
    if compressed > 0 {
        let packed = list.take(compressed)?;
        let unpacked = flate2::read::ZlibDecoder::new(packed).read_to_end(&mut plain);
        unpacked.map_err(|error| format!("a list of files can't be unpacked: {error}"))?;
        if plain.len() as u64 != length {
            return Err("a list of files is damaged".into());
        }
        list = Bytes(&plain);
    }
    let mut name = || {
        let length = list.short()? as usize;
        Ok(String::from_utf8_lossy(list.take(length)?).into_owned())
    };
    (0..count).map(|_| name()).collect()
}

/// The first eight bytes of the MD5 hash, by which functions name their list of files.
fn hash(list: &[u8]) -> Result<u64, String> {
    let failed = |error: std::io::Error| format!("can't run md5sum: {error}");
    let mut child = Command::new("md5sum")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    child.stdin.take().ok_or("md5sum has an input")?.write_all(list).map_err(failed)?;
    let said = child.wait_with_output().map_err(failed)?.stdout;
    let text = String::from_utf8_lossy(&said);
    let digits = text.get(..16).ok_or("md5sum said nothing")?;
    let number = u64::from_str_radix(digits, 16).map_err(|error| error.to_string())?;
    Ok(number.swap_bytes())
}

/// What counts a part: a counter, or a sum or difference of two such.
#[derive(Clone, Copy)]
enum Counter {
    Zero,
    Nth(usize),
    Less(usize),
    Sum(usize),
}

impl Counter {
    fn of(coded: u64) -> Self {
        let n = (coded >> 2) as usize;
        match coded & 3 {
            0 => Counter::Zero,
            1 => Counter::Nth(n),
            2 => Counter::Less(n),
            _ => Counter::Sum(n),
        }
    }

    fn value(self, expressions: &[(Counter, Counter)], counts: &[u64]) -> Option<i128> {
        let pair = |n: usize| {
            let (left, right) = expressions.get(n)?;
            Some((left.value(expressions, counts)?, right.value(expressions, counts)?))
        };
        match self {
            Counter::Zero => Some(0),
            Counter::Nth(n) => counts.get(n).map(|count| i128::from(*count)),
            Counter::Less(n) => pair(n).map(|(left, right)| left - right),
            Counter::Sum(n) => pair(n).map(|(left, right)| left + right),
        }
    }
}

/// Add the parts of one function. A function that isn't in the profile was never reached.
fn function(
    mapping: &[u8],
    files: &[String],
    counts: Option<&Vec<u64>>,
    reached: &mut Reached,
) -> Result<(), String> {
    let mut bytes = Bytes(mapping);
    let count = bytes.short()?;
    let own: Vec<u64> = (0..count).map(|_| bytes.short()).collect::<Result<_, _>>()?;
    let count = bytes.short()?;
    let mut expression =
        || Ok::<_, String>((Counter::of(bytes.short()?), Counter::of(bytes.short()?)));
    let expressions: Vec<_> = (0..count).map(|_| expression()).collect::<Result<_, _>>()?;
    for file in own {
        let name = files.get(file as usize).ok_or("a function is in no file")?;
        let mut line = 0;
        for _ in 0..bytes.short()? {
            let coded = bytes.short()?;
            // With the last three bits zero it is no counter but another sort of region.
            let is_counted = coded & 3 != 0 || coded == 0;
            if !is_counted && coded >> 3 == 4 {
                // A branch has a counter for each way.
                bytes.short()?;
                bytes.short()?;
            }
            line += bytes.short()? as u32;
            let column = bytes.short()? as u32;
            let lines = bytes.short()? as u32;
            let end = bytes.short()? as u32;
            // The highest bit marks the gap between two parts.
            if !is_counted || end >> 31 == 1 {
                continue;
            }
            let counter = Counter::of(coded);
            let value = counts.and_then(|counts| counter.value(&expressions, counts));
            let place = (line, column, line + lines, end);
            let sum = reached.entry(name.clone()).or_default().entry(place).or_insert(0);
            *sum += u64::try_from(value.unwrap_or(0)).unwrap_or(0);
        }
    }
    Ok(())
}
