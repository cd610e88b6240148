//! The times at which an attacker knows where somebody is: the quasi-identifier of each person.
//!
//! A file with two columns, the id as in the data and a time, says it for each person; without a
//! file an attacker may know all times.

use sfumato_core::observer::Observer;
use sfumato_core::{Error, FastMap, Result};
use sfumato_io::ReadOptions;

use super::clock;
use super::read::row_of;
use super::synchronous::{Synchronous, Ticks};
use super::tracks::TrackData;

/// The ticks that are known of each track, ascending.
pub fn read(
    file: Option<&str>,
    data: &TrackData,
    ticks: &Ticks,
    tracks: &[Synchronous],
    observer: &dyn Observer,
) -> Result<Vec<Vec<i64>>> {
    if data.is_cut {
        return Err(Error::unsupported("what is known is known of people, and tracks were cut")
            .hint("leave cut=.. and gap=.. away"));
    }
    match file {
        None => Ok(tracks.iter().map(|track| (track.start..track.end()).collect()).collect()),
        Some(file) => of_file(file, data, ticks, observer).map_err(|error| error.in_file(file)),
    }
}

fn of_file(
    file: &str,
    data: &TrackData,
    ticks: &Ticks,
    observer: &dyn Observer,
) -> Result<Vec<Vec<i64>>> {
    let table =
        sfumato_io::read(file, &ReadOptions::default(), &mut sfumato_io::select_all, observer)?;
    let [ids, times] = &table.columns[..] else {
        return Err(Error::input(format!(
            "{} columns are there, and two are needed",
            table.columns.len()
        ))
        .hint("the first column has ids of people as in the data, the second times"));
    };
    let number: FastMap<&str, u32> = data.names.iter().map(String::as_str).zip(0..).collect();
    let track_of: FastMap<u32, u32> = data.of_whom.iter().copied().zip(0..).collect();
    let (written, keys) = clock::read_all(times.values.iter()).map_err(|code| {
        let row = row_of(times, code as u32);
        Error::input(format!("row {row} has no time in column '{}'", times.name))
    })?;
    if written != data.written {
        return Err(Error::input("times are written in another way than in the data"));
    }
    let mut known: Vec<Vec<i64>> = vec![Vec::new(); data.tracks.len()];
    for row in 0..table.n_rows {
        let (id, time) = (ids.codes.get(row), times.codes.get(row));
        let who = number.get(ids.values.get(id).trim()).ok_or_else(|| {
            Error::input(format!("row {} is about an id that the data don't have", row + 1))
        })?;
        // A track that is too short to be published isn't looked for.
        let Some(track) = track_of.get(who) else { continue };
        let tick = ticks.at(keys[time as usize]).ok_or_else(|| {
            Error::input(format!("row {} has a time that the data don't have", row + 1))
                .hint("with every=.. times are multiples of it")
        })?;
        known[*track as usize].push(tick);
    }
    for ticks in &mut known {
        ticks.sort_unstable();
        ticks.dedup();
    }
    if let Some(track) = known.iter().position(Vec::is_empty) {
        let who = data.of_whom[track] as usize + 1;
        return Err(Error::input(format!("nothing is known of person {who} of the data"))
            .hint("the file must have at least one row for each id of the data"));
    }
    Ok(known)
}
