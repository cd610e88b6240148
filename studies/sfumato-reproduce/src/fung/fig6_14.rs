//! Figure 6.14: discernibility ratio on Adult over K and L.

use sfumato_core::Result;

use super::adult::FILE;
use super::grid::{Line, Ran, from_to, over_k, ratios, scale, told};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult};

/// The figure.
pub struct Fig6_14;

static INFO: FigureInfo = FigureInfo {
    name: "fig6.14",
    caption: "discernibility ratio on Adult over K, for L = 2, 4, 6 at C = 20 %",
    paper: "At L = 2 the ratio stays close to 0 whatever K is; at L = 4 it is much higher; at L = \
        6 it is that of k-anonymity. It sometimes drops as \
K rises, because the search is greedy.",
    data: "as in figure 6.12; k-anonymity over all 13 quasi columns by the same algorithm",
    files: &[FILE],
};

impl Figure for Fig6_14 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let Ran { table, why_empty } = ratios(settings, "K", &over_k(settings), 614)?;
        let ls = scale(settings).ls;
        let mut result = FigureResult::new(&INFO, told(settings));
        let first = table.means(0);
        let near = !first.is_empty() && first.iter().all(|ratio| *ratio < 0.05);
        result.claims.push(Claim::new(
            "at L = 2 the ratio is close to 0 (here: below 0.05)",
            near,
            from_to(&first, 4),
        ));
        if ls.len() > 1 {
            let second = table.means(1);
            let pairs = || first.iter().zip(&second);
            let higher = pairs().count() > 0 && pairs().all(|(two, four)| four > two);
            let measured = format!("L = 2 {}, L = 4 {}", from_to(&first, 4), from_to(&second, 4));
            result.claims.push(Claim::new(
                "at L = 4 it is higher than at L = 2 for every K",
                higher,
                measured,
            ));
        }
        if let Some(place) = ls.iter().position(|l| *l == 6) {
            let (six, all) = (table.means(place), table.means(ls.len()));
            let apart: Vec<f64> =
                six.iter().zip(&all).map(|(six, all)| (six - all).abs()).collect();
            let same = !apart.is_empty() && apart.iter().all(|apart| *apart < 0.01);
            let text = "at L = 6 it is that of k-anonymity (here: within 0.01)";
            result.claims.push(Claim::new(text, same, format!("apart {}", from_to(&apart, 4))));
        }
        let drops =
            (0..ls.len()).filter(|place| table.means(*place).windows(2).any(|two| two[1] < two[0]));
        let drops: Vec<String> = drops.map(|place| format!("L = {}", ls[place])).collect();
        let measured = if drops.is_empty() { "nowhere".to_string() } else { drops.join(", ") };
        result.claims.push(Claim::new(
            "it sometimes drops as K rises",
            !drops.is_empty(),
            measured,
        ));
        result.tables.push(table);
        result.notes.extend(why_empty);
        // Which of the two bounds is it? The same without the one on confidence.
        let lines: Vec<Line> =
            over_k(settings).iter().map(|(label, k, _)| (*label, *k, 100)).collect();
        let mut free = ratios(settings, "K", &lines, 614)?.table;
        free.title = "Adult, confidence not bounded (C = 100 %)".into();
        if let Some(place) = ls.iter().position(|l| *l == 6) {
            let (six, all) = (free.means(place), free.means(ls.len()));
            let apart: Vec<f64> = six.iter().zip(&all).map(|(six, all)| six - all).collect();
            let is_confidence = !apart.is_empty() && apart.iter().all(|apart| apart.abs() < 0.01);
            let because = match is_confidence {
                true => {
                    "so that what is more at C = 20 % is the price of that bound, which \
                        k-anonymity doesn't have"
                }
                false => "so that the bound on confidence doesn't explain the difference",
            };
            let apart = from_to(&apart, 4);
            result.notes.push(format!(
                "without a bound on confidence L = 6 minus k-anonymity is {apart}, {because}"
            ));
        }
        result.tables.push(free);
        Ok(result)
    }
}
