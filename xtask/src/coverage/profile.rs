//! Reads what an instrumented program counted: the raw profile that it writes when it ends. The
//! format is LLVM's, described in its `InstrProfData.inc`.

use super::bytes::Bytes;
use std::collections::BTreeMap;

/// `\xfflprofr\x81` as a number.
const MAGIC: u64 = 0xFF6C_7072_6F66_7281;
/// The version whose layout is read here.
const VERSION: u64 = 10;
/// The bits above are flags.
const VERSION_BITS: u64 = 0x00FF_FFFF_FFFF_FFFF;
/// The size of what is said of a function.
const RECORD: usize = 64;

/// How often each counter of a function was reached, by the hash of its name and of its shape.
pub type Counts = BTreeMap<(u64, u64), Vec<u64>>;

/// Add what a profile counted.
pub fn add(profile: &[u8], counts: &mut Counts) -> Result<(), String> {
    let mut header = Bytes(profile);
    let mut number = || header.u64();
    if number()? != MAGIC {
        return Err("this is no profile of a 64-bit program".into());
    }
    let version = number()? & VERSION_BITS;
    if version != VERSION {
        return Err(format!("profiles of version {version} aren't read here, only {VERSION}"));
    }
    let ids = number()? as usize;
    let records = number()? as usize;
    let before = number()? as usize;
    let counters = number()? as usize;
    // Paddings, bitmaps, names.
    (0..4).try_for_each(|_| number().map(|_| ()))?;
    let delta = number()?;
    // What says where bitmaps and names are, tables of virtual functions, and kinds of values.
    (0..5).try_for_each(|_| number().map(|_| ()))?;
    let data = header.skip(ids)?;
    let counted = Bytes(data.0).skip(records * RECORD + before)?;
    for at in 0..records {
        let mut record = Bytes(data.0).skip(at * RECORD)?;
        let (name, shape, place) = (record.u64()?, record.u64()?, record.u64()?);
        let n = record.skip(3 * 8)?.u32()? as usize;
        let first = place.wrapping_sub(delta.wrapping_sub((at * RECORD) as u64)) as usize / 8;
        if first + n > counters {
            return Err("a function's counters are outside of the profile".into());
        }
        let mut here = counted.skip(first * 8)?;
        let sums = counts.entry((name, shape)).or_insert_with(|| vec![0; n]);
        for sum in sums.iter_mut() {
            *sum += here.u64()?;
        }
    }
    Ok(())
}
