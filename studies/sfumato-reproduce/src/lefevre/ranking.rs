//! Orders features by their information about a class.

use sfumato_core::Result;
use sfumato_evaluate::evaluate::Truth;
use sfumato_evaluate::evaluate::measures::conditional_entropy;

use crate::bench::Sheet;

/// The number of bands of equal frequency into which numbers are divided.
const BANDS: usize = 10;

/// The places of columns, the most predictive first: by information gain, which orders as
/// conditional entropy does.
pub fn ranked(sheet: &Sheet, names: &[String], truth: &Truth) -> Result<Vec<usize>> {
    let labels = |row: usize| match truth {
        Truth::Classes { of_row, .. } => of_row[row],
        Truth::Numbers(_) => None,
    };
    let mut entropies = Vec::new();
    for (place, name) in names.iter().enumerate() {
        let bands = bands(sheet, name)?;
        let rows = 0..bands.len();
        let entropy = conditional_entropy(bands.into_iter().map(Some), rows.map(labels));
        entropies.push((entropy.unwrap_or(f64::INFINITY), place));
    }
    entropies.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    Ok(entropies.into_iter().map(|(_, place)| place).collect())
}

fn bands(sheet: &Sheet, name: &str) -> Result<Vec<u32>> {
    if let Ok(numbers) = sheet.numbers(name) {
        let mut sorted = numbers.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let limit = |band: usize| sorted[band * sorted.len() / BANDS];
        let limits: Vec<f64> = (1..BANDS).map(limit).collect();
        return Ok(numbers
            .iter()
            .map(|x| limits.iter().filter(|limit| *limit <= x).count() as u32)
            .collect());
    }
    let texts = sheet.texts(name)?;
    let mut known = texts.clone();
    known.sort_unstable();
    known.dedup();
    Ok(texts.iter().map(|text| known.partition_point(|other| other < text) as u32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_the_class_comes_first() {
        let mut sheet = Sheet { names: vec![], rows: vec![vec![]; 60] };
        sheet.push("noise", (0..60).map(|i| (i * 7 % 5).to_string()).collect());
        sheet.push(
            "word",
            (0..60).map(|i| if (i < 30) ^ (i % 10 == 0) { "a" } else { "b" }.to_string()).collect(),
        );
        sheet.push("number", (0..60).map(|i| i.to_string()).collect());
        let truth = Truth::Classes {
            of_row: (0..60).map(|i| Some(u32::from(i < 30))).collect(),
            n_classes: 2,
        };
        let names: Vec<String> = sheet.names.clone();
        assert_eq!(ranked(&sheet, &names, &truth).unwrap(), [2, 1, 0]);
    }
}
