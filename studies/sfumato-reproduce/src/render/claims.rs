//! Claims as words: a figure with its interval, a verdict with its reason, and how many hold.

use crate::claims::{Claim, Counts, Interval, Origin, Verdict};
use crate::figure::PaperInfo;
use crate::found::FigureResult;

/// A number with three digits that count.
fn number(x: f64) -> String {
    if !x.is_finite() {
        return "-".into();
    }
    let size = x.abs();
    let digits = match size {
        _ if size == 0.0 || size >= 100.0 => 0,
        _ if size >= 10.0 => 1,
        _ if size >= 1.0 => 2,
        _ if size >= 0.0005 => 3,
        _ => return format!("{x:.1e}"),
    };
    format!("{x:.digits$}")
}

/// What some seeds measured: the mean with its interval, or the single numbers where there is none.
pub fn figure_with_interval(values: &[f64]) -> String {
    match Interval::of(values) {
        Some(found) if found.low == found.high => number(found.mean),
        Some(found) => {
            format!("{} [{}, {}]", number(found.mean), number(found.low), number(found.high))
        }
        None => values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(", "),
    }
}

/// A verdict with its reason.
pub fn verdict(claim: &Claim) -> String {
    let verdict = claim.verdict();
    match verdict.reason() {
        "" => verdict.word().to_string(),
        why => format!("{}: {why}", verdict.word()),
    }
}

/// How many of the paper's sentences hold, don't, or can't be told or tested; and how many of ours.
pub fn counts(paper: &PaperInfo, results: &[FigureResult]) -> String {
    let of = |ours: bool| -> Counts {
        let claims = results.iter().flat_map(|result| &result.claims);
        let picked = claims.filter(|claim| (claim.origin() == Origin::Ours) == ours);
        Counts::of(picked.map(Claim::verdict).collect::<Vec<Verdict>>().into_iter())
    };
    let words = |counts: Counts| {
        let Counts { hold, do_not, cannot_be_told } = counts;
        format!("{hold} hold, {do_not} don't, of {cannot_be_told} nothing can be told")
    };
    let skipped = results.iter().filter(|result| result.skipped.is_some()).count();
    let skipped = match skipped {
        0 => String::new(),
        n => format!(" {n} figures were skipped, their sentences aren't counted."),
    };
    format!(
        "Of the paper's claims {}, and {} sentences can't be tested here. Of ours {}.{skipped}",
        words(of(false)),
        paper.untested.len(),
        words(of(true)),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_short_and_say_their_interval() {
        assert_eq!(figure_with_interval(&[1.0, 2.0, 3.0]), "2.00 [-0.484, 4.48]");
        assert_eq!(figure_with_interval(&[250.0, 250.0, 250.0]), "250");
        assert_eq!(figure_with_interval(&[12.34, 0.01]), "12.3, 0.010");
        assert_eq!(figure_with_interval(&[f64::NAN, 1e-9, 0.0]), "-, 1.0e-9, 0");
    }
}
