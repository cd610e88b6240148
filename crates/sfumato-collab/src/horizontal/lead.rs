//! The leading holder: it finds for every open box the widest column, its median, and whether both
//! halves may be published, all of it for all boxes at once. It learns sums and nothing else.

use sfumato_core::dataset::Domain;
use sfumato_core::group::{Histogram, Summary};
use sfumato_core::traits::{Bind, Requirements, SensitiveColumn};
use sfumato_core::{Error, Result};
use sfumato_table::forms::generalized::make_plan::bind_models;

use super::boxes::Boxes;
use super::count::{Answer, Counting};
use super::follow::check;
use super::specialise::specialise;
use crate::job::{Agreement, Insider, Method};
use crate::protocol::message::{Decision, Question, Threshold};
use crate::protocol::{Message, Wire, WireExt};

/// What must hold for a class.
pub struct Judges {
    requirements: Requirements,
    sites: u64,
    lengths: Vec<usize>,
    enforces: bool,
}

/// A half of a split, or a box: its sums.
#[derive(Debug, Clone)]
pub struct Profile {
    sites: u64,
    /// Rows and sensitive values.
    pub summary: Summary,
}

/// Bind the models of a job to sums.
pub fn judges(agreement: &Agreement, counting: &Counting) -> Result<Judges> {
    let own = &counting.own;
    let domains: Vec<Domain> =
        own.sensitive.iter().map(|column| Domain::of_texts(column.values.iter())).collect();
    let columns = own.sensitive.iter().zip(&domains).map(|(column, domain)| SensitiveColumn {
        name: &column.name,
        domain,
        hierarchy: None,
        is_guard: false,
    });
    let bind = Bind {
        quasi: own.quasi.iter().map(|column| column.name.as_str()).collect(),
        sensitive: columns.collect(),
    };
    let requirements = bind_models(&agreement.privacy.models, &bind)?;
    let other = requirements.iter().find(|requirement| !requirement.scope().is_met_by_classes());
    if let Some(other) = other {
        return Err(Error::unsupported(format!(
            "{} isn't about classes alone, and sums are counted for classes",
            other.model()
        ))
        .hint("take k-anonymity, l-diversity or another model about classes"));
    }
    let c = &agreement.collaboration;
    Ok(Judges {
        requirements,
        sites: c.sites.unwrap_or(1),
        lengths: own.sensitive.iter().map(|column| column.values.len()).collect(),
        enforces: c.insider == Insider::Enforce,
    })
}

impl Judges {
    /// The fewest people of a class.
    pub fn k(&self) -> u64 {
        self.requirements.min_people()
    }

    /// Whether sums of a class satisfy the models.
    pub fn holds(&self, sums: &[u64], whole: &Summary) -> bool {
        self.requirements.holds(&self.profile(sums).summary, whole)
    }

    /// Refuse what sums of more than two parts don't tell.
    pub fn refuse_sites(&self) -> Result<()> {
        match self.sites > 1 || self.enforces {
            false => Ok(()),
            true => Err(Error::unsupported(
                "top-down-specialization can't ask for several holders in each class",
            )
            .hint("leave 'method' out: the distributed Mondrian can")),
        }
    }

    fn profile(&self, sums: &[u64]) -> Profile {
        let mut at = 2;
        let mut histograms = Vec::new();
        for &length in &self.lengths {
            let counts = sums[at..at + length].iter().enumerate();
            let counts = counts.map(|(value, &count)| (value as u32, count));
            histograms.push(Histogram::from_counts(counts.filter(|(_, count)| *count > 0)));
            at += length;
        }
        Profile { sites: sums[1], summary: Summary::of_histograms(sums[0], histograms) }
    }

    fn allows(&self, half: &Profile, whole: &Summary) -> bool {
        half.summary.rows > 0
            && half.sites >= self.sites
            && self.requirements.holds(&half.summary, whole)
    }
}

/// An open box.
struct Open {
    region: u32,
    rows: u64,
    bounds: Vec<(i64, i64)>,
    /// Columns that weren't tried yet, the widest last.
    columns: Vec<usize>,
}

/// The leading holder at work.
pub struct Leader<'a, 'b> {
    /// The wire.
    pub wire: &'a mut dyn Wire,
    /// One's own rows.
    pub counting: &'b mut Counting,
    /// What must hold.
    pub judges: Judges,
    /// How often was asked.
    pub round: u32,
}

/// Lead until the boxes are known.
pub fn lead(wire: &mut dyn Wire, agreement: &Agreement, counting: &mut Counting) -> Result<Boxes> {
    let judges = judges(agreement, counting)?;
    let mut leader = Leader { wire, counting, judges, round: 0 };
    match agreement.collaboration.method {
        Method::TopDownSpecialization => specialise(&mut leader),
        _ => leader.run(),
    }
}

impl Leader<'_, '_> {
    fn ask(&mut self, question: Question) -> Result<Answer> {
        self.wire.broadcast(&Message::Question(question.clone()))?;
        let k = self.judges.k();
        let answer = self.counting.answer(self.wire, &question, k)?;
        self.round += 1;
        answer.ok_or_else(|| Error::internal("the leading holder wasn't answered"))
    }

    /// Ask for sums.
    pub fn sums(&mut self, question: Question) -> Result<Vec<u64>> {
        match self.ask(question)? {
            Answer::Sums(sums) => Ok(sums),
            Answer::Any(_) => Err(Error::internal("sums were asked for")),
        }
    }

    fn any(&mut self, question: Question) -> Result<Vec<bool>> {
        match self.ask(question)? {
            Answer::Any(any) => Ok(any),
            Answer::Sums(_) => Err(Error::internal("yes or no was asked for")),
        }
    }

    /// Tell all what to do.
    pub fn tell(&mut self, decision: Decision) -> Result<()> {
        self.wire.broadcast(&Message::Decision(decision))
    }

    /// The domain of each column, and all rows together, which must satisfy the models.
    pub fn begin(&mut self, whole_trees: bool) -> Result<(Vec<(i64, i64)>, Profile)> {
        let domain = self.reach(&[0])?.remove(0);
        if domain.iter().any(|(lo, hi)| lo > hi) {
            return Err(Error::input("the holders have no rows"));
        }
        // Trees are taken apart from their roots, whatever values occur.
        let told: Vec<(i64, i64)> = domain
            .iter()
            .zip(&self.counting.own.quasi)
            .map(|(bounds, quasi)| match &quasi.leaves {
                Some(leaves) if whole_trees => (0, leaves.len() as i64 - 1),
                _ => *bounds,
            })
            .collect();
        self.counting.space.regions[0].clone_from(&told);
        self.tell(Decision::Domain { bounds: told.clone() })?;
        // All at or below the greatest number of a column are all.
        let at = Threshold { region: 0, column: 0, at: told[0].1 };
        let width = self.counting.width();
        let whole = self.sums(Question::Try { round: self.round, at: vec![at] })?;
        let whole = self.judges.profile(&whole[..width]);
        if !self.judges.allows(&whole, &whole.summary) {
            return Err(Error::infeasible(format!(
                "the models don't hold even for all {} records together",
                whole.summary.rows
            ))
            .hint("nothing was released; ask for less, or let more holders take part"));
        }
        Ok((told, whole))
    }

    /// The classes among the sums of a half.
    pub fn classes(&self, sums: &[u64]) -> Vec<u64> {
        let n = self.counting.own.target.as_ref().map_or(0, |target| target.values.len());
        sums[sums.len() - n..].to_vec()
    }

    /// Say that there is nothing more to do, and what the boxes are.
    pub fn finish(
        &mut self,
        bounds: Vec<Vec<(i64, i64)>>,
        sizes: &[u64],
        splits: u32,
    ) -> Result<Boxes> {
        self.tell(Decision::Close { round: self.round })?;
        self.counting.try_boxes();
        let totals = sizes.iter().map(|&rows| [rows, 0]).collect();
        let exposed = self.any(Question::Insider { round: self.round, totals })?;
        let exposed = Some(exposed.iter().filter(|exposed| **exposed).count());
        self.tell(Decision::Boxes { bounds: bounds.clone() })?;
        let boxes = Boxes { bounds, splits, exposed, steps: Vec::new() };
        check(self.counting, &boxes)?;
        Ok(boxes)
    }

    fn run(&mut self) -> Result<Boxes> {
        let n_columns = self.counting.own.quasi.len();
        let (domain, whole) = self.begin(false)?;
        let (mut known, mut n_splits) = (vec![Vec::new()], 0);
        let mut sizes = vec![whole.summary.rows];
        let mut fresh: Vec<u32> = vec![0];
        while !fresh.is_empty() {
            let reached = self.reach(&fresh)?;
            let mut open = Vec::new();
            for (region, bounds) in fresh.iter().zip(reached) {
                known[*region as usize].clone_from(&bounds);
                let share = |column: &usize| {
                    let ((lo, hi), (least, most)) = (bounds[*column], domain[*column]);
                    (hi - lo) as f64 / (most - least).max(1) as f64
                };
                let mut columns: Vec<usize> =
                    (0..n_columns).filter(|column| bounds[*column].0 < bounds[*column].1).collect();
                columns.sort_by(|a, b| share(a).total_cmp(&share(b)).then(b.cmp(a)));
                let rows = sizes[*region as usize];
                // Halves of fewer than twice k rows can't both have k.
                if rows >= 2 * self.judges.k() && !columns.is_empty() {
                    open.push(Open { region: *region, rows, bounds, columns });
                }
            }
            let (splits, halves) = self.decide(open, &whole.summary)?;
            fresh.clear();
            for (at, halves) in splits.iter().zip(halves) {
                fresh.extend([at.region, sizes.len() as u32]);
                sizes[at.region as usize] = halves[0];
                sizes.push(halves[1]);
                known.push(Vec::new());
            }
            if !splits.is_empty() {
                self.counting.split(&splits)?;
                n_splits += splits.len() as u32;
                self.tell(Decision::Split { round: self.round, at: splits })?;
            }
        }
        self.finish(known, &sizes, n_splits)
    }

    /// Least and greatest number of every column in boxes, by halving: a sum tells whether anybody
    /// has a row there, and nothing else.
    fn reach(&mut self, regions: &[u32]) -> Result<Vec<Vec<(i64, i64)>>> {
        let spaces: Vec<Vec<(i64, i64)>> = regions
            .iter()
            .map(|region| self.counting.space.regions[*region as usize].clone())
            .collect();
        let mut found = spaces.clone();
        for below in [true, false] {
            let mut searches: Vec<(usize, usize, i64, i64)> = Vec::new();
            for (place, space) in spaces.iter().enumerate() {
                searches.extend(
                    space.iter().enumerate().map(|(column, &(lo, hi))| (place, column, lo, hi)),
                );
            }
            loop {
                let open: Vec<usize> =
                    (0..searches.len()).filter(|s| searches[*s].2 < searches[*s].3).collect();
                if open.is_empty() {
                    break;
                }
                let middle = |&(_, _, lo, hi): &(usize, usize, i64, i64)| match below {
                    true => lo + (hi - lo) / 2,
                    // Whether anything lies above: the greatest is then further up.
                    false => lo + (hi - lo) / 2,
                };
                let at: Vec<Threshold> = open
                    .iter()
                    .map(|&s| Threshold {
                        region: regions[searches[s].0],
                        column: searches[s].1 as u32,
                        at: middle(&searches[s]),
                    })
                    .collect();
                let any = self.any(Question::Reach { round: self.round, at: at.clone(), below })?;
                for ((&s, at), any) in open.iter().zip(&at).zip(any) {
                    let search = &mut searches[s];
                    match (below, any) {
                        (true, true) | (false, false) => search.3 = at.at,
                        (true, false) | (false, true) => search.2 = at.at + 1,
                    }
                }
            }
            for (place, column, lo, _) in searches {
                let bounds = &mut found[place][column];
                if below { bounds.0 = lo } else { bounds.1 = lo }
            }
        }
        Ok(found)
    }

    /// The split of each open box, with how many rows its halves have.
    fn decide(
        &mut self,
        mut open: Vec<Open>,
        whole: &Summary,
    ) -> Result<(Vec<Threshold>, Vec<[u64; 2]>)> {
        let width = self.counting.width();
        let mut decided: Vec<(Threshold, [u64; 2])> = Vec::new();
        while !open.is_empty() {
            let at = self.medians(&open)?;
            let sums = self.sums(Question::Try { round: self.round, at: at.clone() })?;
            let halves: Vec<[Profile; 2]> = sums
                .chunks(2 * width)
                .map(|both| {
                    [self.judges.profile(&both[..width]), self.judges.profile(&both[width..])]
                })
                .collect();
            let mut allowed: Vec<bool> = halves
                .iter()
                .map(|halves| halves.iter().all(|half| self.judges.allows(half, whole)))
                .collect();
            if self.judges.enforces {
                let size = |both: &[Profile; 2]| [0, 1].map(|half: usize| both[half].summary.rows);
                let totals = halves.iter().map(size).collect();
                let exposed = self.any(Question::Insider { round: self.round, totals })?;
                allowed.iter_mut().zip(exposed).for_each(|(allowed, exposed)| *allowed &= !exposed);
            }
            let mut left = Vec::new();
            for (((mut box_, at), halves), allowed) in
                open.into_iter().zip(at).zip(halves).zip(allowed)
            {
                if allowed {
                    decided.push((at, [halves[0].summary.rows, halves[1].summary.rows]));
                } else {
                    box_.columns.pop();
                    if !box_.columns.is_empty() {
                        left.push(box_);
                    }
                }
            }
            open = left;
        }
        decided.sort_by_key(|(at, _)| at.region);
        Ok(decided.into_iter().unzip())
    }

    /// The median of the widest column of each box that wasn't tried yet: of the numbers at or
    /// below which at least half of the rows lie the least, or the one before it if that is nearer
    /// to the half or leaves nothing above.
    fn medians(&mut self, open: &[Open]) -> Result<Vec<Threshold>> {
        let column = |open: &Open| open.columns.last().copied().unwrap_or(0);
        let mut searches: Vec<(i64, i64)> =
            open.iter().map(|open| open.bounds[column(open)]).collect();
        let mut known: Vec<(u64, u64)> = open.iter().map(|open| (0, open.rows)).collect();
        loop {
            let waiting: Vec<usize> =
                (0..open.len()).filter(|s| searches[*s].0 < searches[*s].1).collect();
            if waiting.is_empty() {
                break;
            }
            let at: Vec<Threshold> = waiting
                .iter()
                .map(|&s| Threshold {
                    region: open[s].region,
                    column: column(&open[s]) as u32,
                    at: searches[s].0 + (searches[s].1 - searches[s].0) / 2,
                })
                .collect();
            let counts = self.sums(Question::Count { round: self.round, at: at.clone() })?;
            for ((&s, at), count) in waiting.iter().zip(&at).zip(counts) {
                // (those below the search, those at or below its end)
                match 2 * count >= open[s].rows {
                    true => (searches[s].1, known[s].1) = (at.at, count),
                    false => (searches[s].0, known[s].0) = (at.at + 1, count),
                }
            }
        }
        let median = |(s, open): (usize, &Open)| {
            let (at, (before, upto)) = (searches[s].0, known[s]);
            let (least, most) = open.bounds[column(open)];
            // The rows on the left if the split is before the median, or after it.
            let off = |left: u64| (2 * left).abs_diff(open.rows);
            let is_before = at > least && (at >= most || off(before) < off(upto));
            let at = if is_before { at - 1 } else { at };
            Threshold { region: open.region, column: column(open) as u32, at }
        };
        Ok(open.iter().enumerate().map(median).collect())
    }
}
