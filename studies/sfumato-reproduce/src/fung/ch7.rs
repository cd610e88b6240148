//! Section 7.2.5: whether clusters survive, and what that depends on.

use sfumato_core::Result;
use sfumato_core::dataset::Role;
use sfumato_core::observer::Unobserved;
use sfumato_evaluate::cluster::{Settings as Asked, cluster_table};
use sfumato_evaluate::evaluate::Experiment;

use super::adult::{FILE, adult};
use crate::bench::trials;
use crate::claims::gauge::{least, mean, tau};
use crate::claims::{Gauge, Measured, Origin, Rule, Statement};
use crate::figure::{Figure, FigureInfo, Settings};
use crate::found::{FigureResult, Number, Plot, Table};

/// The chapter.
pub struct Ch7;

static INFO: FigureInfo = FigureInfo {
    name: "ch7",
    caption: "clusters: whether they survive, and what that depends on",
    paper: "Most of the cluster structure is preserved for a broad range of requirements; guided \
        by clusters an algorithm preserves more than a general one. Quality degrades as k and the \
        number of quasi columns grow, has no obvious trend with the number of clusters, and is \
        lost where the recipient uses another clusterer.",
    data: "UCI Adult, the 13 quasi columns of figure 6.12, TDR (`top-down-refinement`), k-means.",
    files: &[FILE],
};

const SHUFFLED: &str = "labels of the original in random order";
const PRESERVED: Statement = Statement::new(
    Origin::Line(2837),
    "most of the cluster structure is preserved for a broad range of k (here: F of at least 0.75 \
    at \
        every k)",
    Gauge::Custom { measure: "F-measure with labels, the least over k", control: SHUFFLED },
    Rule::AtLeast(0.75),
);
const GUIDED: Statement = Statement::new(
    Origin::Line(2837),
    "guided by clusters an algorithm preserves more than the same without (mean over k)",
    Gauge::MeanGap,
    Rule::Above(0.0),
);
const BY_K: Statement = Statement::new(
    Origin::Line(2841),
    "quality degrades as k grows",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const BY_SIZE: Statement = Statement::new(
    Origin::Line(2841),
    "the more so if the data are small (here: F falls more from the least to the largest k in a \
        quarter of the records)",
    Gauge::MeanGap,
    Rule::Above(0.0),
);
const BY_QUASI: Statement = Statement::new(
    Origin::Line(2841),
    "quality degrades as the number of quasi columns grows",
    Gauge::Trend,
    Rule::AtLeast(0.5),
);
const BY_CLUSTERS: Statement = Statement::new(
    Origin::Line(2841),
    "quality has no obvious trend with the number of clusters (here: Kendall's tau within 0.7)",
    Gauge::Custom {
        measure: "Kendall's tau of F by the number of clusters",
        control: "the same of F in descending order",
    },
    Rule::Within(-0.7, 0.7),
);
const OTHER: Statement = Statement::new(
    Origin::Line(2829),
    "with another clusterer than the holder's the clusters can't be extracted (here: F is lower at \
        every k)",
    Gauge::LeastGap,
    Rule::Above(0.0),
);

/// What is asked of a run.
#[derive(Clone)]
struct Case {
    rows: usize,
    quasi: usize,
    k: u64,
    clusters: u64,
    recipient: Option<String>,
}

/// F with labels, without them, and of shuffled labels.
type Found = [f64; 3];

impl Figure for Ch7 {
    fn info(&self) -> &'static FigureInfo {
        &INFO
    }

    fn run(&self, settings: &Settings<'_>) -> Result<FigureResult> {
        let n = settings.pick(300, 2_000, 10_000);
        let ks = settings.pick(&[5, 20][..], &[5, 20, 50, 100], &[5, 20, 50, 100, 200]);
        let quasi = settings.pick(&[3, 6][..], &[3, 5, 8, 13], &[3, 5, 8, 10, 13]);
        let clusters = settings.pick(&[2, 4][..], &[2, 4, 6, 8], &[2, 4, 6, 8, 10]);
        let plain =
            Case { rows: n, quasi: 13, k: ks[1.min(ks.len() - 1)], clusters: 4, recipient: None };
        let mut cases: Vec<Case> = ks.iter().map(|k| Case { k: *k, ..plain.clone() }).collect();
        let small = |k: u64| Case { rows: n / 4, k, ..plain.clone() };
        cases.extend([small(ks[0]), small(ks[ks.len() - 1])]);
        cases.extend(quasi.iter().map(|quasi| Case { quasi: *quasi, ..plain.clone() }));
        cases.extend(clusters.iter().map(|n| Case { clusters: *n, ..plain.clone() }));
        let other = || Some("k-medoids".to_string());
        cases.extend(ks.iter().map(|k| Case { k: *k, recipient: other(), ..plain.clone() }));
        let found = trials("ch7", cases.len(), 1, settings.observer, |number| {
            let found = one(&cases[number], settings);
            settings.observer.advance(1);
            found
        })?;
        let mut rest = &found[..];
        let mut take = |n: usize| {
            let (first, others) = rest.split_at(n);
            rest = others;
            first.to_vec()
        };
        let (by_k, small) = (take(ks.len()), take(2));
        let (by_quasi, by_clusters) = (take(quasi.len()), take(clusters.len()));
        let by_other = take(ks.len());
        let mut result =
            FigureResult::new(&INFO, format!("{n} records, 4 clusters, k = {}", plain.k));
        let mut table = |title: &str, rows_are: &str, labels: Vec<String>, found: &[Found]| {
            let columns = ["with labels", "blind", "labels shuffled"];
            let mut table = Table::new(title, rows_are, "F-measure", &columns).digits(3);
            for (label, line) in labels.iter().zip(found) {
                let known = |x: f64| Number::exact(x).filter(|number| number.mean.is_finite());
                table.push(label, line.map(known).to_vec());
            }
            result.tables.push(table.plotted(Plot::Lines));
        };
        let words = |all: &[u64]| all.iter().map(u64::to_string).collect::<Vec<String>>();
        let sizes: Vec<String> = quasi.iter().map(usize::to_string).collect();
        table("By k", "k", words(ks), &by_k);
        table("By quasi columns", "quasi columns", sizes, &by_quasi);
        table("By clusters", "clusters", words(clusters), &by_clusters);
        table("Another clusterer of the recipient", "k", words(ks), &by_other);
        let told = |all: &[Found]| all.iter().map(|found| found[0]).collect::<Vec<f64>>();
        let shuffled: Vec<f64> = by_k.iter().map(|found| found[2]).collect();
        let mut nulls = settings.nulls();
        let fall = |all: &[Found]| all[0][0] - all[all.len() - 1][0];
        let blind: Vec<(f64, f64)> = by_k.iter().map(|found| (found[0], found[1])).collect();
        let others: Vec<(f64, f64)> =
            by_k.iter().zip(&by_other).map(|(same, other)| (same[0], other[0])).collect();
        let mut sorted = told(&by_clusters);
        sorted.sort_by(|a, b| b.total_cmp(a));
        let sizes = [(fall(&small), fall(&by_k))];
        let mean_words = format!("{:.3} on average over k", mean(&told(&by_k)));
        result.claims = vec![
            PRESERVED
                .claim("", Measured::new(least(&told(&by_k)), least(&shuffled)).told(mean_words)),
            GUIDED.claim("", nulls.pairs(GUIDED.gauge(), &blind)),
            BY_K.claim("", nulls.falling(&[told(&by_k)])),
            BY_SIZE.claim("", nulls.pairs(BY_SIZE.gauge(), &sizes)),
            BY_QUASI.claim("", nulls.falling(&[told(&by_quasi)])),
            BY_CLUSTERS.claim("", Measured::new(tau(&told(&by_clusters)), tau(&sorted))),
            OTHER.claim("", nulls.pairs(OTHER.gauge(), &others)),
        ];
        Ok(result)
    }
}

fn one(case: &Case, settings: &Settings<'_>) -> Result<Found> {
    let data = adult(settings, case.rows)?;
    let mut job = data.study.job(&[&format!("k-anonymity(k={})", case.k)], &[]);
    let quasi = job.columns.0.iter_mut().filter(|(_, spec)| spec.role == Role::Quasi);
    // Other columns are left as they are, and aren't clustered.
    for (_, spec) in quasi.skip(case.quasi) {
        spec.role = Role::Keep;
        spec.hierarchy = None;
    }
    let target = job.columns.0.iter_mut().filter(|(_, spec)| spec.role == Role::Target);
    target.for_each(|(_, spec)| spec.role = Role::Keep);
    let sheet_roles =
        sfumato_table::data::assign_roles::assign_roles(&job, &data.study.dataset.raw.header)?;
    let dataset = sfumato_table::data::read::Dataset { roles: sheet_roles, ..data.study.dataset };
    let rows: Vec<u32> = (0..dataset.raw.n_rows as u32).collect();
    let table = Experiment { job: &job, dataset: &dataset }.train(&rows)?.table;
    let asked = Asked {
        clusters: vec![case.clusters],
        recipient: case.recipient.clone(),
        algorithms: vec!["top-down-refinement".into()],
        seed: settings.seed_of(&[700]),
        ..Asked::default()
    };
    let study = cluster_table(&job, &asked, &table, &Unobserved)?;
    let f = |labelled: bool| {
        let arms = &study.numbers[0].arms;
        let arm = arms.iter().find(|arm| arm.labelled == labelled);
        let figures = arm.and_then(|arm| arm.figures.as_ref());
        figures.map_or(f64::NAN, |figures| figures.alike.f_measure)
    };
    Ok([f(true), f(false), by_chance(&study.numbers[0].sizes, settings)?])
}

/// The F-measure of clusters of these sizes beside the same ones dealt out at random.
fn by_chance(sizes: &[u64], settings: &Settings<'_>) -> Result<f64> {
    let mut labels = Vec::new();
    for (label, size) in (0u32..).zip(sizes) {
        labels.extend(std::iter::repeat_n(label, *size as usize));
    }
    let dealt = settings.nulls().shuffled(&labels);
    let table = sfumato_learn::cluster::Contingency::new(&labels, &dealt)?;
    Ok(sfumato_learn::cluster::overall_f_measure(&table))
}
