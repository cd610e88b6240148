//! Figure 23: the squared error by sample size, Regression.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::quality::{NOTE, Quality};
use super::scaled::numeric;
use crate::bench::{Study, generated};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;
use crate::lefevre::census::{SURVEY, survey, survey_study};

/// Figure 23 of the paper.
pub struct Fig23;

static INFO: FigureInfo = FigureInfo {
    name: "fig23",
    caption: "Weighted mean squared error by records drawn, Regression",
    paper: "Ten generated data sets of 100,000 records with the targets of its Table VI, and the \
        census sample. Larger samples lower the error a little; for large \
samples the difference is very small. The sample matters much less than k.",
    data: "Generated: `agrawal` with labels r7 and r10. Census: the General Social Survey, the \
        stand-in that [lefevre.md](lefevre.md) describes.",
    files: &[SURVEY],
};

impl Figure for Fig23 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let n_sets = settings.pick(1, 2, 3);
        let rows = settings.pick(1000, 10_000, 100_000);
        let records = settings.pick(600, 6000, usize::MAX);
        let drawn: &[u64] =
            settings.pick(&[100, 300], &[500, 2500], &[500, 1000, 2500, 5000, 10_000, 25_000]);
        let ks: &[u64] = settings.pick(&[5, 50], &[10, 100], &[10, 100, 1000]);
        let sheet = survey(&settings.data, records, settings.seed_of(&[7]))?;
        let mut result = FigureResult::new(
            &INFO,
            format!(
                "{n_sets} generated sets (the paper: 10) of {rows} records; {} of the survey",
                sheet.rows.len()
            ),
        );
        for (name, label) in [("Generated, R7", "r7"), ("Generated, R10", "r10")] {
            let generated = |number: usize| {
                let sheet =
                    generated(label, rows, settings.seed_of(&[22, 1, number as u64]), None)?;
                Study::new(&sheet, numeric(&["target"]))
            };
            let quality = Quality { name, target: "target", kind: TargetKind::Numbers, drawn, ks };
            quality.run(settings, n_sets, generated, &mut result)?;
        }
        let quality = Quality {
            name: "Census stand-in",
            target: "salary",
            kind: TargetKind::Numbers,
            drawn,
            ks,
        };
        quality.run(settings, 1, |_| survey_study(&sheet, "salary", Role::Target), &mut result)?;
        result.notes.push(NOTE.into());
        Ok(result)
    }
}
