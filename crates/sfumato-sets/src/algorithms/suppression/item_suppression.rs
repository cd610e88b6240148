//! Greedy suppression of items: items that are in many failing combinations and are worth little
//! are left out of all records first.

use crate::data::PublishedSets;
use crate::traits::{SetAlgorithm, SetTask};
use sfumato_core::column::Code;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::transactions::Builder;
use sfumato_core::{Error, Result, with_sets};
use sfumato_kernels::itemsets::{Limits, Listed, Mined, Records, mine};

use super::all_moles::all_moles;
use super::moles::Moles;

/// The algorithm.
pub struct ItemSuppression;

static INFO: Info = Info {
    name: "item-suppression",
    summary: "leaves items out of all records, one after the other, until no combination of items \
        fails",
    papers: &[Paper {
        authors: "Y. Xu, K. Wang, A. W.-C. Fu, P. S. Yu",
        title: "Anonymizing transaction databases for publication",
        venue: "KDD",
        year: 2008,
    }],
    params: &[
        ParamSpec::optional(
            "loss",
            ParamKind::Choice(&["constant", "support", "nuggets"]),
            "what leaving an item out costs: the same for all, what its instances are worth \
             (default), or how many frequent combinations have it",
        ),
        ParamSpec::with_default(
            "moles",
            ParamKind::Choice(&["minimal", "all"]),
            "minimal",
            "which failing combinations an item is scored by: the smallest, or all, as the variant \
             for nuggets does",
        ),
        ParamSpec::optional(
            "nugget_support",
            ParamKind::Integer { min: 1, max: i64::MAX },
            "how many records must have a combination that counts as frequent; by default k",
        ),
        ParamSpec::optional(
            "nugget_items",
            ParamKind::Integer { min: 1, max: 1000 },
            "the largest number of items of a combination that counts as frequent; by default 2",
        ),
    ],
    doc: include_str!("item_suppression.md"),
    capabilities: Capabilities {
        serves: &[Fact::Combinations],
        takes_weights: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl SetAlgorithm for ItemSuppression {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn anonymize(&self, params: &Params, task: &SetTask<'_>) -> Result<PublishedSets> {
        if task.combinations.is_empty() {
            return Err(Error::unsupported(format!(
                "{} serves models about combinations of items, and none is asked for",
                INFO.name
            ))
            .hint("say --model 'km-anonymity(k=5, m=2)', or take another algorithm"));
        }
        let is_suppressed = suppressed(params, task)?;
        let mut sets = Builder::new(task.sets.n_items());
        let mut kept: Vec<u32> = Vec::new();
        with_sets!(task.sets, records => for set in records.iter() {
            kept.clear();
            let all = set.iter().map(|code| code.widen());
            kept.extend(all.filter(|item| !is_suppressed[*item as usize]));
            sets.push(&kept);
        });
        let of_record = (0..task.sets.len() as u32).collect();
        Ok(PublishedSets { of_record, sets: sets.finish(), witnesses: None })
    }
}

/// Which items are left out of all records.
pub(super) fn suppressed(params: &Params, task: &SetTask<'_>) -> Result<Vec<bool>> {
    let n_items = task.sets.n_items();
    // Step 1. The smallest failing combinations of every promise. Those of one item must go.
    let mined = failing(task)?;
    let mut is_suppressed = vec![false; n_items];
    let single = mined.iter().flat_map(|mined| mined.failing.first());
    single.flat_map(|list| &list.items).for_each(|item| is_suppressed[*item as usize] = true);
    let all;
    let larger = mined.iter().flat_map(|mined| mined.failing.iter().skip(1));
    let mut moles = match params.text("moles") {
        Some("all") => {
            let of_promise = |asked| all_moles(task, asked, &is_suppressed);
            let lists = task.combinations.iter().map(of_promise).collect::<Result<Vec<_>>>()?;
            all = lists.concat();
            Moles::of(n_items, all.iter().map(Vec::as_slice))
        }
        _ => Moles::of(n_items, larger.flat_map(|list| list.iter().map(|(items, _)| items))),
    };
    // A combination of one promise may have an item that another promise forbids.
    (0..n_items as u32).filter(|item| is_suppressed[*item as usize]).for_each(|item| {
        moles.suppress(item);
    });
    // Step 2. While any is left, the item with most of them for what it costs.
    let mut cost = Cost::of(params, task, &is_suppressed)?;
    let mut open: Vec<u32> = (0..n_items as u32).filter(|item| moles.left(*item) > 0).collect();
    let mut chosen = Vec::new();
    while !open.is_empty() {
        task.check_cancelled()?;
        let score = |item: u32| moles.left(item) as f64 / cost.of_item(item);
        // Items that cost less come first among equals, and then those with smaller codes.
        let better = |a: &&u32, b: &&u32| {
            let costs = || cost.of_item(**b).total_cmp(&cost.of_item(**a));
            score(**a).total_cmp(&score(**b)).then_with(costs).then_with(|| b.cmp(a))
        };
        let Some(item) = open.iter().max_by(better).copied() else { break };
        moles.suppress(item);
        cost.suppress(item);
        is_suppressed[item as usize] = true;
        chosen.push(item);
        open.retain(|item| moles.left(*item) > 0);
    }
    // Step 3. What was left out early may have become needless; the dearest comes back first.
    chosen.sort_by(|a, b| cost.support(*b).total_cmp(&cost.support(*a)).then(a.cmp(b)));
    for item in chosen {
        if moles.is_needless(item, &is_suppressed) {
            is_suppressed[item as usize] = false;
        }
    }
    Ok(is_suppressed)
}

/// The smallest failing combinations of every promise. An error where not even leaving out all
/// items helps.
fn failing(task: &SetTask<'_>) -> Result<Vec<Mined>> {
    let listed = Listed { failing: true, passing: false };
    let mut all = Vec::new();
    for asked in task.combinations {
        let private = task.private.filter(|_| asked.most.is_some());
        if asked.most.is_some() && private.is_none() {
            return Err(crate::forms::combinations::no_private_items());
        }
        let records = Records { sets: task.sets, weights: task.weights, private };
        let mined = mine(records, asked, listed, Limits::default())?;
        let is_empty = |items: &[u32]| items.is_empty();
        if mined.counted.failing.as_ref().is_some_and(|failing| is_empty(&failing.items)) {
            let (least, most) = (mined.counted.support.least, asked.most);
            return Err(match least < asked.required {
                true => Error::infeasible(format!(
                    "k is {}, and there are {least} records",
                    asked.required
                ))
                .hint("ask for a smaller k, or bring more data"),
                false => Error::infeasible(format!(
                    "of all records a larger share than {} has the same private item",
                    most.map_or(0.0, |most| most.value())
                ))
                .hint(
                    "leaving items out doesn't change that: ask for a larger h, or leave that \
                     item out with --drop-items",
                ),
            });
        }
        all.push(mined);
    }
    Ok(all)
}

/// What leaving an item out costs.
struct Cost {
    /// What all instances of each item are worth.
    support: Vec<f64>,
    is_constant: bool,
    /// The frequent combinations that are left, if these are what counts.
    nuggets: Option<Moles>,
}

impl Cost {
    fn of(params: &Params, task: &SetTask<'_>, is_suppressed: &[bool]) -> Result<Cost> {
        let mut support = vec![0.0; task.sets.n_items()];
        with_sets!(task.sets, records => for (at, set) in records.iter().enumerate() {
            let weight = task.weights.map_or(1.0, |weights| f64::from(weights[at]));
            set.iter().for_each(|code| support[code.widen() as usize] += weight);
        });
        support.iter_mut().zip(task.utilities).for_each(|(n, utility)| *n *= utility);
        let loss = params.text("loss").unwrap_or("support");
        let nuggets = match loss {
            "nuggets" => Some(nuggets(params, task, is_suppressed)?),
            _ => None,
        };
        Ok(Cost { support, is_constant: loss == "constant", nuggets })
    }

    /// What an item costs. An item that costs nothing is the first to go.
    fn of_item(&self, item: u32) -> f64 {
        match &self.nuggets {
            Some(nuggets) => nuggets.left(item) as f64,
            None if self.is_constant => 1.0,
            None => self.support[item as usize],
        }
    }

    fn support(&self, item: u32) -> f64 {
        self.support[item as usize]
    }

    fn suppress(&mut self, item: u32) {
        self.nuggets.iter_mut().for_each(|nuggets| nuggets.suppress(item));
    }
}

/// The frequent combinations of the items that are left.
fn nuggets(params: &Params, task: &SetTask<'_>, is_suppressed: &[bool]) -> Result<Moles> {
    let support = params.optional_integer("nugget_support").map_or(task.k, |n| n.unsigned_abs());
    let size = params.optional_integer("nugget_items").unwrap_or(2);
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    let asked =
        sfumato_core::combinations::AskedCombinations { size, required: support, most: None };
    let records = Records { sets: task.sets, weights: task.weights, private: None };
    let listed = Listed { failing: false, passing: true };
    let mined = mine(records, &asked, listed, Limits::default())?;
    let passing = mined.passing.iter().flat_map(|list| list.iter().map(|(items, _)| items));
    let mut nuggets = Moles::of(task.sets.n_items(), passing);
    for item in (0..is_suppressed.len() as u32).filter(|item| is_suppressed[*item as usize]) {
        nuggets.suppress(item);
    }
    Ok(nuggets)
}
