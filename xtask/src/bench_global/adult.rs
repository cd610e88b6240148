//! Every global recoding on Adult under k-anonymity, beside another tool's optimum. One thread.

use std::path::Path;

use super::{SUPPRESSIONS, Section, head, line};
use crate::bench_recode::measure::{self, Settings};
use crate::bench_recode::peers::{PEERS, Peer};
use crate::bench_recode::{Family, algorithms, data};

/// The values of k in the table.
const SIZES: [u32; 2] = [5, 10];

/// Measure the section.
pub fn section(program: &Path, folder: &Path) -> Section {
    let set = match data::prepare("adult", program, folder)? {
        Ok(set) => set,
        Err(why) => return Ok(Err(why)),
    };
    let mut text = set.caption.clone();
    text += " One thread, seed 1; of three runs the one that anonymized most quickly, unless the \
        first takes more than six \
             seconds. \"anonymize\" is the wall time of that step and suffers from other work on \
             the machine, \"CPU of the \
             job\" user and system time of the whole process. The searches for cuts count cuts \
             instead of nodes. \"proven \
             optimal\" is about the recodings that the algorithm itself may choose from \
             (`full-domain` levels, the others \
             cuts through the trees, `l-plus-optimize` without suppression); where it is empty the \
             algorithm doesn't say. \
             The lines in italics are ARX's with the CPU seconds of its anonymize step, scored by \
             a neutral scorer: its \
             optimum is that of another loss.\n\n";
    text += &head(&["k", "may be suppressed", "algorithm"]);
    for k in SIZES {
        for (suppression, share) in SUPPRESSIONS {
            for algorithm in &algorithms(program, Family::Global)? {
                let settings = Settings { suppression, k: Some(k), ..Settings::of(algorithm) };
                let run = measure::quickest(program, folder, &set, &settings)?;
                text += &line(&[&k.to_string(), share, algorithm], &run);
            }
            let name = format!("ARX optimal full-domain, {share}");
            for peer in PEERS.iter().filter(|peer| peer.k == k && peer.name == name) {
                text += &peer_line(peer, share);
            }
        }
    }
    Ok(Ok(text))
}

fn peer_line(peer: &Peer, share: &str) -> String {
    let Peer { k, ncp, classes, seconds, suppressed, .. } = peer;
    format!(
        "| {k} | {share} | *ARX optimal full-domain* | {ncp:.4} | {classes} | {suppressed} | \
            {seconds} CPU s | | | | |\n"
    )
}
