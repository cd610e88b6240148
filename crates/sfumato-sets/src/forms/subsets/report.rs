//! Fills the private report of a run over baskets: loss, risk, and how much of every item is
//! published.

use sfumato_core::facts::Fact;
use sfumato_core::facts::Hiding;
use sfumato_core::traits::ClassSizes;
use sfumato_report as shown;

use sfumato_engine::form::Written;
use sfumato_engine::reports::params_json;
use sfumato_engine::risks::risks;

use super::Subsets;
use super::alike::Alike;
use super::publish::append;
use super::read_back::SetRead;
use super::section::{self, Item, words};
use crate::data::read::{Loaded, near_remark};
use crate::data::{ItemRole, PublishedSets};
use crate::kind::Baskets;
use crate::metrics::frequent::Patterns;
use crate::traits::SetView;

/// The number of records that are shown side by side.
const SAMPLE: usize = 10;

/// Make the report. The pipeline adds what all releases have in common.
pub fn report(written: &Written<'_, Baskets, Subsets>, verified: &SetRead) -> shown::Report {
    let Written { job, data: loaded, plan, witness, .. } = *written;
    let decided = written.decision();
    let baskets = &loaded.baskets;
    let before = instances_before(loaded);
    let n_records = baskets.quasi.len() as u64;
    let patterns = Patterns::new(&baskets.quasi, &verified.rows, None);
    let view = SetView {
        items: &baskets.items,
        before: &before,
        after: &verified.kept,
        records: n_records,
        emptied: verified.emptied,
        patterns: Some(&patterns),
    };
    let alike_before = Alike::of(&baskets.quasi);
    let classes_before =
        ClassSizes::from_sizes(alike_before.copies.iter().map(|copies| u64::from(*copies)));
    let (instances, kept): (u64, u64) = (before.iter().sum(), verified.kept.iter().sum());
    let source = &loaded.source;
    let is_empty = |record: &usize| baskets.quasi.size(*record) == 0;
    let empty = (0..baskets.quasi.len()).filter(is_empty).count() as u64;
    let told = section::BasketSection {
        layout: job.baskets.layout().into(),
        release_layout: crate::data::layout::spell(&loaded.release_layout),
        items: before.iter().filter(|n| **n > 0).count() as u64,
        items_published: verified.kept.iter().filter(|n| **n > 0).count() as u64,
        instances,
        instances_published: kept,
        utility: baskets.items.worth(&before),
        utility_published: baskets.items.worth(&verified.kept),
        empty,
        emptied: verified.emptied,
        collapsed_to: decided.collapsed_to.map(|n| n as u64),
        by_item: by_item(loaded, &before, &verified.kept),
    };
    shown::Report {
        input: shown::Input {
            path: String::new(),
            format: source.format.clone(),
            rows: n_records,
            columns: 0,
            bytes: source.bytes,
            sha256: source.sha256.clone(),
            holds: Some(told.holds()),
        },
        algorithm: shown::Algorithm {
            name: plan.algorithm.info().name.into(),
            params: params_json(&plan.params),
            details: serde_json::json!({ "chosen": if plan.is_auto { "auto" } else {
                "by the job" }, "shape": "published sets", "objective": "utility" }),
        },
        sections: vec![told.section()],
        words: words(),
        audit: told.audit(job, false),
        classes: Some(shown::Classes::from_sizes(verified.classes.iter())),
        classes_before: Some(shown::Classes::from_sizes(classes_before.iter())),
        suppressed: shown::Suppressed::new(verified.emptied, instances - kept, n_records),
        metrics: crate::metrics::subsets::ALL
            .iter()
            .map(|metric| (metric.info().name, metric.measure(&view)))
            .collect(),
        risks: risks(&classes_before, &verified.classes, job.privacy.population)
            .into_iter()
            .map(|(name, before, after)| (name.replace('-', "_"), shown::Change { before, after }))
            .collect(),
        evidence: shown::Evidence {
            rows: n_records,
            cells: verified.instances,
            ..shown::Evidence::default()
        },
        warnings: warnings(written, verified.emptied),
        sample: sample(loaded, &decided.published, &witness.order),
        output: Some(shown::Output {
            path: String::new(),
            rows: n_records,
            bytes: verified.bytes,
            sha256: verified.sha256.clone(),
        }),
        ..shown::Report::default()
    }
}

/// The number of instances of every item in the original, without those that the job leaves out.
pub fn instances_before(loaded: &Loaded) -> Vec<u64> {
    let mut counts = loaded.baskets.quasi.counts();
    if let Some(sensitive) = &loaded.baskets.sensitive {
        counts.iter_mut().zip(sensitive.counts()).for_each(|(all, n)| *all += n);
    }
    counts
}

/// Every item that any record has, those that lost most first.
pub fn by_item(loaded: &Loaded, before: &[u64], after: &[u64]) -> Vec<Item> {
    let items = &loaded.baskets.items;
    let item = |code: usize| Item {
        name: items.names[code].clone(),
        role: role(items.roles[code]).into(),
        utility: items.utilities[code],
        instances: before[code],
        published: after[code],
        suppressed: before[code] - after[code],
    };
    let mut all: Vec<Item> = (0..items.len()).filter(|code| before[*code] > 0).map(item).collect();
    let lost = |item: &Item| item.suppressed as f64 * item.utility;
    all.sort_by(|a, b| lost(b).total_cmp(&lost(a)));
    all
}

fn role(role: ItemRole) -> &'static str {
    match role {
        ItemRole::Quasi => "quasi",
        ItemRole::Sensitive => "sensitive",
    }
}

fn warnings(written: &Written<'_, Baskets, Subsets>, emptied: u64) -> Vec<String> {
    let Written { job, data: loaded, plan, .. } = *written;
    let mut warnings = Vec::new();
    if job.run.seed.is_some() {
        warnings.push("a seed was given: not for release, the shuffle can be replayed".into());
    }
    if job.output.keep_order {
        warnings.push("records are in the order of the input, which can give people away".into());
    }
    if plan.max_empty.is_none() && emptied > 0 {
        warnings.push(format!(
            "{} ({}) are published as empty sets, since no limit was set: --max-suppression 0 \
             refuses that",
            shown::numbers::counted(emptied, "record"),
            shown::numbers::percent(emptied as f64 / loaded.baskets.quasi.len().max(1) as f64)
        ));
    }
    if plan.requirements.at_least(Hiding::Copies).is_none()
        && !plan.algorithm.info().capabilities.can_serve(Fact::Hiding(Hiding::Copies))
    {
        warnings.push(
            "(k,1)-anonymity is for sets that are handed out one at a time: whoever has this whole \
                file and knows the items of a person may \
             find a single record that fits"
                .into(),
        );
    }
    let guards = plan.combinations.iter().any(|asked| asked.most.is_some());
    if loaded.baskets.sensitive.is_some() && !guards {
        warnings.push(
            "sensitive items are published as they are, and no model guards them: all \
            records that look alike may share one"
                .into(),
        );
    }
    if loaded.repeated > 0 {
        warnings.push(format!(
            "{} items were in their record more than once and count once",
            shown::numbers::count(loaded.repeated)
        ));
    }
    if loaded.dropped > 0 {
        warnings.push(format!(
            "{} instances of items were left out as the job asks",
            shown::numbers::count(loaded.dropped)
        ));
    }
    warnings.extend(near_remark(loaded));
    warnings
}

fn sample(loaded: &Loaded, published: &PublishedSets, order: &[u32]) -> Vec<shown::SamplePair> {
    let baskets = &loaded.baskets;
    let names = |codes: &[u32]| {
        let all: Vec<&str> =
            codes.iter().map(|code| baskets.items.names[*code as usize].as_str()).collect();
        (!all.is_empty()).then(|| all.join(" "))
    };
    let rows = (0..order.len()).step_by(order.len().div_ceil(SAMPLE).max(1)).take(SAMPLE);
    rows.map(|row| {
        let record = order[row] as usize;
        let mut original = baskets.quasi.set(record);
        original.extend(baskets.sensitive.iter().flat_map(|sensitive| sensitive.set(record)));
        original.sort_unstable();
        let mut left = Vec::new();
        append(baskets, published, record, &mut left);
        let mut pair = shown::SamplePair::default();
        pair.original.insert("items".to_string(), names(&original));
        pair.published.insert("items".to_string(), names(&left));
        pair
    })
    .collect()
}
