//! What is left out so that a release is coherent, for 1 to 4 known items and three shares.

use sfumato_core::combinations::{AskedCombinations, Share};
use sfumato_core::registry::Params;
use sfumato_core::transactions::Transactions;
use sfumato_core::{FastSet, Result};
use sfumato_kernels::itemsets::{Limits, Listed, Records, mine};
use sfumato_sets::algorithms;
use sfumato_sets::data::ItemRole;
use sfumato_sets::data::read::split;
use sfumato_sets::traits::SetTask;

use crate::bench::baskets::{at_most, read};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{Claim, FigureResult, Number, Plot, Table};

/// What the survey says in words.
pub struct Distortion;

const DENSE: &str = "setvalued/mushroom.dat.gz";
const SPARSE: &str = "setvalued/BMS-WebView-1.dat.gz";

/// How many records a combination must be in.
const K: u64 = 10;

static INFO: FigureInfo = FigureInfo {
    name: "distortion",
    caption: "What is left out so that a release is (h, 10, p)-coherent",
    paper: "On dense data few items of low support go, and the distortion is usually below 10 %; \
        on sparse data it is about 15 %. More known items cost more.",
    data: "Mushroom for dense data, BMS-WebView-1 for sparse data; the survey names none.",
    files: &[DENSE, SPARSE],
};

impl Figure for Distortion {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let most = settings.pick(300, 2_000, usize::MAX);
        let known = settings.pick(2, 3, 4);
        let mut result = FigureResult::new(
            &INFO,
            format!(
                "{}, p from 1 to {known}, k = {K}",
                settings.pick("300 records", "2,000 records", "all records")
            ),
        );
        for (file, name, range, words) in [
            (DENSE, "Mushroom", 0.0..10.0, "dense data: below 10 % for at least half"),
            (
                SPARSE,
                "BMS-WebView-1",
                10.0..22.5,
                "sparse data: from 10 to 22.5 % for at least half",
            ),
        ] {
            let data = Divided::of(&at_most(&read(file, settings)?, most));
            let columns = ["h = 0.6", "h = 0.8", "h = 1", "control, h = 0.6", "control, h = 1"];
            let title = format!("Distortion of {name}, in percent");
            let mut table = Table::new(&title, "p", "%", &columns).digits(2).plotted(Plot::Lines);
            for p in 1..=known {
                let mut cells = Vec::new();
                for h in [0.6, 0.8, 1.0] {
                    cells.push(100.0 * data.distortion(h, p)?);
                }
                for h in [0.6, 1.0] {
                    cells.push(100.0 * data.control(h, p)?);
                }
                table.push(p, cells.into_iter().map(Number::exact).collect());
            }
            let of = |columns: std::ops::Range<usize>| -> Vec<f64> {
                columns.flat_map(|column| table.means(column)).collect()
            };
            let within = |found: &[f64]| found.iter().filter(|x| range.contains(*x)).count();
            let (ours, control) = (of(0..3), of(3..5));
            result.claims.push(Claim::new(
                words,
                2 * within(&ours) >= ours.len(),
                format!("{} of {} settings", within(&ours), ours.len()),
            ));
            result.claims.push(Claim::new(
                format!("the control doesn't keep that rule on {name}"),
                2 * within(&control) < control.len(),
                format!("{} of {} settings", within(&control), control.len()),
            ));
            let never_less = |column: usize| table.means(column).is_sorted();
            result.claims.push(Claim::new(
                format!("{name}: never less for a larger p"),
                (0..3).all(never_less),
                format!(
                    "{:.2} % for p = 1 and {:.2} % for p = {known}, h = 0.8",
                    table.means(1)[0],
                    table.means(1)[known - 1]
                ),
            ));
            let by_h = |p: usize| {
                let of_h = [2, 1, 0].map(|column| table.means(column)[p]);
                of_h.is_sorted()
            };
            result.claims.push(Claim::new(
                format!("{name}: never less for a smaller h"),
                (0..known).all(by_h),
                format!(
                    "{:.2} % for h = 1 and {:.2} % for h = 0.6, p = {known}",
                    table.means(2)[known - 1],
                    table.means(0)[known - 1]
                ),
            ));
            result.tables.push(table);
        }
        Ok(result)
    }
}

/// Records divided by which items are private.
struct Divided {
    public: Transactions,
    private: Transactions,
}

impl Divided {
    /// Every tenth item is private, of those that at most three in ten records have.
    fn of(sets: &Transactions) -> Self {
        let counts = sets.counts();
        let most = sets.len() as u64 * 3 / 10;
        let mut roles = vec![ItemRole::Quasi; sets.n_items()];
        let allowed = (0..counts.len()).filter(|item| (1..=most).contains(&counts[*item]));
        allowed.skip(4).step_by(10).for_each(|item| roles[item] = ItemRole::Sensitive);
        let (public, private) = split(sets.clone(), &roles, &[]);
        let n = sets.len();
        let nothing = || Transactions::from_sets(roles.len(), (0..n).map(|_| Vec::new()));
        Divided { public, private: private.unwrap_or_else(nothing) }
    }

    fn asked(&self, h: f64, p: usize) -> Result<AskedCombinations> {
        Ok(AskedCombinations { size: p, required: K, most: Some(Share::of_decimal(h)?) })
    }

    /// The share of instances that the algorithm leaves out.
    fn distortion(&self, h: f64, p: usize) -> Result<f64> {
        let asked = [self.asked(h, p)?];
        let utilities = vec![1.0; self.public.n_items()];
        let task = SetTask {
            combinations: &asked,
            private: Some(&self.private),
            ..SetTask::new(&self.public, &utilities, K)
        };
        let algorithm = algorithms::find("item-suppression")?;
        let params = Params::check(algorithm.info(), &Default::default())?;
        let published = algorithm.anonymize(&params, &task)?;
        Ok(self.lost(published.sets.n_instances()))
    }

    /// The share of instances of all items that are in any of the smallest failing combinations.
    fn control(&self, h: f64, p: usize) -> Result<f64> {
        let records = Records { sets: &self.public, weights: None, private: Some(&self.private) };
        let listed = Listed { failing: true, passing: false };
        let mined = mine(records, &self.asked(h, p)?, listed, Limits::default())?;
        let gone: FastSet<u32> =
            mined.failing.iter().flat_map(|list| list.items.iter().copied()).collect();
        let counts = self.public.counts();
        let kept = (0u32..).zip(&counts).filter(|(item, _)| !gone.contains(item));
        Ok(self.lost(kept.map(|(_, n)| n).sum()))
    }

    fn lost(&self, kept: u64) -> f64 {
        let all = self.public.n_instances().max(1);
        (all - kept) as f64 / all as f64
    }
}
