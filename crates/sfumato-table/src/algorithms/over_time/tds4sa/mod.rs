//! TDS4SA: specialises a release with new columns as long as its join with the earlier ones keeps
//! the promise.

mod records;
mod trees;
mod watch;

use sfumato_core::facts::{Fact, Hiding};
use sfumato_core::recoding::{Cuts, Finding, Recoding};
use sfumato_core::registry::{Capabilities, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_core::traits::{Algorithm, Task};
use sfumato_core::{Error, FastMap, Result};
use sfumato_kernels::lossy_join::Measured;

use crate::algorithms::global::shared::taxonomy::{Node, Taxonomy};
use records::Records;
use watch::Watch;

/// The algorithm `tds4sa`, an entry of the registry.
pub struct Tds4sa;

static INFO: Info = Info {
    name: "tds4sa",
    summary: "specialises a release with new columns as long as the join with earlier ones is safe",
    papers: &[Paper {
        authors: "K. Wang, B. C. M. Fung",
        title: "Anonymizing sequential releases",
        venue: "KDD",
        year: 2006,
    }],
    params: &[
        ParamSpec::optional(
            "gain",
            ParamKind::Choice(&["class", "distortion", "discernibility"]),
            "what a specialization gains; class with a target column, distortion without one",
        ),
        ParamSpec::with_default(
            "loss",
            ParamKind::Choice(&["join", "none"]),
            "join",
            "what it loses: how far the join gets worse, or nothing",
        ),
        ParamSpec::with_default(
            "baseline",
            ParamKind::Choice(&["none", "drop-join", "no-finer"]),
            "none",
            "a simpler solution to compare with: join columns aren't published, or nothing finer \
             than before",
        ),
    ],
    doc: include_str!("tds4sa.md"),
    capabilities: Capabilities {
        serves: &[
            Fact::Classes,
            Fact::SensitiveValues,
            Fact::Hiding(Hiding::Matches),
            Fact::Earlier,
        ],
        needs_monotone: true,
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl Algorithm for Tds4sa {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn anonymize(&self, params: &Params, task: &Task<'_>) -> Result<Box<dyn Recoding>> {
        self.check_requirements(task.requirements)?;
        let asked: Vec<_> =
            task.requirements.iter().filter_map(|asked| asked.asks_join()).collect();
        if asked.is_empty() {
            return Err(Error::unsupported(format!(
                "{} serves models about the join of releases, and none is asked for",
                INFO.name
            ))
            .hint("say --model 'sequential-xy-privacy(x=[name, job], y=[disease], k=2)'"));
        }
        let has_classes = task.requirements.iter().any(|asked| asked.scope().is_met_by_classes());
        let earlier = task.earlier.ok_or_else(|| {
            Error::unsupported(format!("{} needs the earlier releases", INFO.name))
                .hint("name their ledger with --ledger, or their files in 'before'")
        })?;
        let records = Records::new(task, params)?;
        let joined = earlier.joined_with(&records.sheet)?;
        let records = records.joined(&joined)?;
        let open = records.columns_of(&asked, has_classes);
        let mut search = Search { task, params, records: &records, at: records.roots(&open) };
        let watches = asked.iter().map(|asked| Watch::new(&joined, asked, &records, &search.at));
        let mut watches: Vec<Watch<'_>> = watches.collect::<Result<_>>()?;
        let now = search.begin(&mut watches)?;
        let mut cut: Vec<Vec<Node>> = search.cut(&open);
        let steps = search.specialise(&mut watches, &mut cut, now)?;
        search.finish(steps)
    }
}

struct Search<'a> {
    task: &'a Task<'a>,
    params: &'a Params,
    records: &'a Records<'a>,
    /// The published node of each code, by column.
    at: Vec<Vec<Node>>,
}

impl Search<'_> {
    /// Nothing is safe if the most general release isn't: say so at once.
    fn begin(&self, watches: &mut [Watch<'_>]) -> Result<Vec<Measured>> {
        let mut all = Vec::with_capacity(watches.len());
        for watch in watches.iter_mut() {
            let found = watch.whole();
            let unmatched: u64 = watch.unmatched(self.records, &self.at, None)?.iter().sum();
            if found.dangling + unmatched > 0 {
                return Err(Error::infeasible(format!(
                    "{} records of this release and {unmatched} of earlier ones match nobody of \
                     the others: the releases aren't about the same people",
                    found.dangling
                ))
                .hint(
                    "publish the same people, or see whether labels and values are written alike",
                ));
            }
            if !found.holds() {
                return Err(Error::infeasible(format!(
                    "no generalization is safe: with every column of x generalized to the root, \
                     the join with the earlier releases has A_Y(X) = {} and L_Y(X) = {:.4}",
                    found.least, found.share
                ))
                .hint("ask for less, publish fewer columns, or add the columns of the join to x"));
            }
            all.push(found);
        }
        match self.classes_hold(&self.at) {
            true => Ok(all),
            false => Err(Error::infeasible(
                "no generalization is safe: with every quasi value generalized to the root, a \
                 class doesn't satisfy the models",
            )),
        }
    }

    /// The nodes that are published of each column that is specialised.
    fn cut(&self, open: &[bool]) -> Vec<Vec<Node>> {
        open.iter().map(|open| if *open { vec![Taxonomy::ROOT] } else { Vec::new() }).collect()
    }

    /// Specialise while something is valid. Returns how often.
    fn specialise(
        &mut self,
        watches: &mut [Watch<'_>],
        cut: &mut [Vec<Node>],
        mut now: Vec<Measured>,
    ) -> Result<u64> {
        let loses = self.params.text("loss") != Some("none");
        // What a look at all records found to fail; classes that fail stay so.
        let mut closed: Vec<(usize, Node)> = Vec::new();
        let mut steps = 0;
        loop {
            if self.task.observer.cancelled() {
                return Err(Error::new(sfumato_core::ErrorKind::Cancelled, "the run was stopped"));
            }
            let mut valid: Vec<(f64, usize, Node, Vec<Measured>)> = Vec::new();
            for (column, nodes) in cut.iter().enumerate() {
                for node in nodes.iter().filter(|node| !closed.contains(&(column, **node))) {
                    let Some(gain) = self.records.gain(column, *node) else { continue };
                    let would = watches
                        .iter_mut()
                        .map(|watch| watch.would(self.records, &self.at, (column, *node)))
                        .collect::<Result<Vec<_>>>()?;
                    if would.iter().all(Measured::holds) {
                        let lost = |(now, then): (&Measured, &Measured)| {
                            let fewer = now.least.saturating_sub(then.least) as f64;
                            fewer + (then.share - now.share).max(0.0)
                        };
                        let lost: f64 = now.iter().zip(&would).map(lost).sum();
                        let score = if loses { gain / (lost + 1.0) } else { gain };
                        valid.push((score, column, *node, would));
                    }
                }
            }
            // Of equal scores the first column and node goes first.
            valid.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
            let mut performed = false;
            for (_, column, node, would) in valid {
                let refined = self.records.refined(&self.at, (column, node));
                if !self.is_safe(watches, &refined, (column, node))? {
                    closed.push((column, node));
                    continue;
                }
                for watch in watches.iter_mut() {
                    watch.perform(self.records, &refined, (column, node))?;
                }
                let children = self.records.trees[column].children(node);
                cut[column].retain(|other| *other != node);
                cut[column].extend(children);
                (self.at, now, performed) = (refined, would, true);
                steps += 1;
                break;
            }
            if !performed || self.task.observer.enough() {
                return Ok(steps);
            }
        }
    }

    /// What only a look at all records says: classes, and records of earlier releases that would
    /// match nobody.
    fn is_safe(
        &self,
        watches: &mut [Watch<'_>],
        refined: &[Vec<Node>],
        split: (usize, Node),
    ) -> Result<bool> {
        for watch in watches.iter_mut() {
            if watch.unmatched(self.records, &self.at, Some(split))?.iter().any(|n| *n > 0) {
                return Ok(false);
            }
        }
        Ok(self.classes_hold(refined))
    }

    /// Whether the classes of a recoding satisfy the models that are about these.
    fn classes_hold(&self, at: &[Vec<Node>]) -> bool {
        let requirements = self.task.requirements;
        if !requirements.iter().any(|asked| asked.scope().is_met_by_classes()) {
            return true;
        }
        let (class_of_row, nodes) = self.records.classes(at);
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
        (0u32..).zip(&class_of_row).for_each(|(row, class)| rows[*class as usize].push(row));
        let (tally, release) = (self.task.tally(), self.task.whole());
        rows.iter().all(|rows| requirements.holds(&tally.of_rows(rows), &release))
    }

    fn finish(&self, steps: u64) -> Result<Box<dyn Recoding>> {
        let (class_of_row, nodes) = self.records.classes(&self.at);
        let trees = &self.records.trees;
        let mut cuts = Vec::with_capacity(trees.len());
        for (tree, at) in trees.iter().zip(&self.at) {
            let mut own: Vec<Node> = at.clone();
            own.sort_unstable();
            own.dedup();
            cuts.push(tree.cut(&own));
        }
        let mut places: Vec<FastMap<Node, u32>> = vec![FastMap::default(); trees.len()];
        let mut of_class = vec![Vec::with_capacity(nodes.len()); trees.len()];
        for class in &nodes {
            for (column, node) in class.iter().enumerate() {
                let place = match places[column].get(node) {
                    Some(known) => *known,
                    None => {
                        let value = trees[column].value(*node);
                        let values = cuts[column].values();
                        let place = values.iter().position(|other| *other == value);
                        let place = place.ok_or_else(|| {
                            Error::internal("a class has a value that its cut lacks")
                        })? as u32;
                        places[column].insert(*node, place);
                        place
                    }
                };
                of_class[column].push(place);
            }
        }
        let findings = vec![Finding { name: "specializations", value: steps as f64 }];
        Ok(Box::new(Cuts::new(cuts, of_class, class_of_row)?.with_findings(findings)))
    }
}
