//! Figure 22: the entropy of the class by sample size, InfoGain.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::workload::TargetKind;

use super::quality::{NOTE, Quality};
use super::scaled::numeric;
use crate::bench::{Study, generated};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::FigureResult;
use crate::lefevre::census::{SURVEY, survey, survey_study};

/// Figure 22 of the paper.
pub struct Fig22;

static INFO: FigureInfo = FigureInfo {
    name: "fig22",
    caption: "Conditional entropy by records drawn, InfoGain",
    paper: "Ten generated data sets of 100,000 records, and the census sample. Larger samples \
        lower the entropy a little; for large samples the difference is \
very small. The sample matters much less than k in all experiments.",
    data: "Generated: `agrawal` with labels c2 and c7; which one the paper's plot is of can't be \
        read. Census: the General Social Survey, the stand-in that [lefevre.md](lefevre.md) \
        describes.",
    files: &[SURVEY],
};

impl Figure for Fig22 {
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
        let quality =
            |name| Quality { name, target: "class", kind: TargetKind::Classes, drawn, ks };
        for (name, label) in [("Generated, C2", "c2"), ("Generated, C7", "c7")] {
            let generated = |number: usize| {
                let sheet =
                    generated(label, rows, settings.seed_of(&[22, 1, number as u64]), None)?;
                Study::new(&sheet, numeric(&["class"]))
            };
            quality(name).run(settings, n_sets, generated, &mut result)?;
        }
        let census = |_| survey_study(&sheet, "class", Role::Target);
        quality("Census stand-in").run(settings, 1, census, &mut result)?;
        result.notes.push(NOTE.into());
        Ok(result)
    }
}
