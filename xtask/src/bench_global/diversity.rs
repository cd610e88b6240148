//! The optimal full-domain recoding on Adult with models about a sensitive column, beside another
//! tool's. One thread.

use std::path::Path;

use super::{SUPPRESSIONS, Section, head, line};
use crate::bench_recode::data;
use crate::bench_recode::measure::{self, Settings};

/// The column that is guarded instead of generalized. Its hierarchy is needed for distances between
/// its values.
const SENSITIVE: &str = "occupation";

/// A model, with or without k-anonymity, and the CPU seconds and NCP of ARX under it with 5 %
/// suppression.
struct Case {
    model: &'static str,
    k: Option<u32>,
    peer: Option<(f64, &'static str)>,
}

/// The cases. The t-closeness of ARX was measured once, and is shown at the distance that needs no
/// hierarchy.
const CASES: [Case; 5] = [
    Case { model: "l-diversity-distinct(l=3)", k: None, peer: Some((2.4, "0.171")) },
    Case { model: "l-diversity-entropy(l=3)", k: None, peer: Some((2.0, "0.222")) },
    Case { model: "l-diversity-recursive(c=3,l=3)", k: None, peer: None },
    Case { model: "t-closeness(t=0.2,distance=equal)", k: Some(5), peer: Some((3.3, "0.84")) },
    Case { model: "t-closeness(t=0.2,distance=hierarchical)", k: Some(5), peer: None },
];

/// Measure the section.
pub fn section(program: &Path, folder: &Path) -> Section {
    let mut set = match data::prepare("adult", program, folder)? {
        Ok(set) => set,
        Err(why) => return Ok(Err(why)),
    };
    let quasi: Vec<&str> = set.quasi.split(',').filter(|column| *column != SENSITIVE).collect();
    set.quasi = quasi.join(",");
    let mut text = format!(
        "The same file with eight quasi columns; {SENSITIVE} is sensitive, with its hierarchy. \
            `full-domain`, one thread, \
         seed 1, of three runs the one that anonymized most quickly. The lines in italics are \
         ARX's with the CPU seconds of its anonymize step; which \
         distance its t-closeness had isn't recorded.\n\n"
    );
    text += &head(&["models", "may be suppressed"]);
    for (suppression, share) in SUPPRESSIONS {
        for Case { model, k, peer } in &CASES {
            let extra = ["--sensitive", SENSITIVE, "--model", model];
            let settings =
                Settings { suppression, k: *k, extra: &extra, ..Settings::of("full-domain") };
            let run = measure::quickest(program, folder, &set, &settings)?;
            let models = k.map_or(format!("`{model}`"), |k| format!("k = {k}, `{model}`"));
            text += &line(&[&models, share], &run);
            if let (Some((seconds, ncp)), "5%") = (peer, suppression) {
                // ARX names the model but not a distance.
                let name = model.split(",distance").next().unwrap_or(model).trim_end_matches(')');
                let with = k.map_or(String::new(), |k| format!("k = {k}, "));
                text += &format!(
                    "| *ARX: {with}{name})* | {share} | {ncp} | | | {seconds:.1} CPU s | | | | |\n"
                );
            }
        }
    }
    Ok(Ok(text))
}
