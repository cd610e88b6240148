//! The rounds: who has the best candidate, how the winner lets the others divide the records, and
//! when it ends.

use sfumato_core::dataset::Table;
use sfumato_core::{Error, ErrorKind, Result};

use super::candidates::{Candidates, Offer};
use super::classes::Classes;
use super::judge::{Bound, Guardian, Shared, bind};
use super::{Joint, Partition};
use crate::holder::StepNote;
use crate::job::{Agreement, Fairness, Scores};
use crate::protocol::{Bid, Instruction, Message, Packed, Seat, Wire, WireExt};
use crate::secure::Secrets;
use crate::secure::maximum::maximum;

/// The state of a holder between rounds.
pub struct Rounds<'a> {
    /// The partition that all share.
    pub partition: Partition,
    /// What one could do with one's own columns.
    pub candidates: Candidates<'a>,
    /// The specialisations performed.
    pub steps: Vec<StepNote>,
    /// How many candidates were rejected by the owner of a sensitive column.
    pub rejected: u32,
    /// How many specialisations of one's own columns concerned nobody else.
    pub alone: u32,
    /// The hash of what all know.
    pub hash: [u8; 32],
    /// Which columns are tied to no other holder's.
    local: Vec<bool>,
    shared: Shared,
    guardian: Option<Guardian<'a>>,
    guardians: Vec<Seat>,
    owners: Vec<Seat>,
    names: Vec<String>,
    scores: Scores,
    contributions: Option<Contributions>,
    round: u32,
}

/// What was contributed, in units of 2^-32, so that all holders compare alike.
struct Contributions {
    own: u128,
    others: u128,
    generosity: u128,
    n: u128,
}

/// The unit of contributions.
const UNIT: f64 = 4_294_967_296.0;

impl Contributions {
    fn fixed(score: f64) -> u128 {
        (score * UNIT).round() as u128
    }

    /// Whether one gave so much more than the others that one stops: mu > phi / (n - 1) + eps.
    fn is_spent(&self) -> bool {
        self.own * (self.n - 1) > self.others + self.generosity * (self.n - 1)
    }
}

/// What a round came to.
enum Winner {
    Nobody,
    Seat(Seat),
}

impl<'a> Rounds<'a> {
    /// Everything at the top. Refuses what doesn't hold even so.
    pub fn new(
        wire: &dyn Wire,
        agreement: &Agreement,
        joint: &Joint,
        table: &'a Table,
        classes: &Classes,
    ) -> Result<Self> {
        let c = &agreement.collaboration;
        let quasi = joint.quasi();
        let place = |name: &str| quasi.iter().position(|column| column.name == name);
        let own = table.quasi();
        let places: Vec<usize> = own.iter().filter_map(|column| place(&column.name)).collect();
        if places.len() != own.len() {
            return Err(Error::internal("a holder lost one of its quasi columns"));
        }
        let Bound { shared, guardian, is_judged } = bind(&agreement.privacy.models, joint, table)?;
        let candidates = Candidates::new(table, &places, classes, (c.scoring, c.beneficial_only));
        let mut tops = vec!["*".to_string(); quasi.len()];
        candidates.tops().into_iter().for_each(|(place, top)| tops[place] = top);
        let partition = Partition::new(tops, classes);
        shared.check(&partition)?;
        let contributions = c.fairness.map(|Fairness { generosity }| Contributions {
            own: 0,
            others: 0,
            generosity: Contributions::fixed(generosity),
            n: wire.seats() as u128,
        });
        let owners: Vec<Seat> = quasi.iter().map(|column| column.owner).collect();
        // Whoever judges sensitive values or counts contributions hears of every step.
        let is_open = is_judged || contributions.is_some();
        let local = match is_open {
            true => vec![false; owners.len()],
            false => shared.local(&owners),
        };
        Ok(Rounds {
            alone: 0,
            hash: [0; 32],
            local,
            partition,
            candidates,
            steps: Vec::new(),
            rejected: 0,
            shared,
            guardian,
            guardians: if is_judged { joint.guardians() } else { Vec::new() },
            owners,
            names: quasi.iter().map(|column| column.name.clone()).collect(),
            scores: c.scores,
            contributions,
            round: 0,
        })
    }

    /// Step until nobody may or will.
    pub fn run(&mut self, wire: &mut dyn Wire, secrets: &Secrets) -> Result<()> {
        self.begin(wire)?;
        loop {
            let mut offer = self.best(false);
            // A guardian doesn't offer what it would reject itself.
            while let Some(own) = &offer {
                if self.own_verdict(own) {
                    break;
                }
                self.candidates.forget(own);
                offer = self.best(false);
            }
            let winner = match self.scores {
                Scores::Clear => self.clear(wire, offer.as_ref())?,
                Scores::Secret => self.secret(wire, offer.as_ref(), secrets)?,
            };
            match winner {
                Winner::Nobody => {
                    self.hash = self.partition.hash();
                    return self.finish_alone();
                }
                Winner::Seat(seat) if seat == wire.seat() => {
                    let offer = offer.ok_or_else(|| Error::internal("nothing was offered"))?;
                    self.lead(wire, &offer)?;
                }
                Winner::Seat(seat) => self.follow(wire, seat)?,
            }
            self.round += 1;
        }
    }

    /// The best of one's own columns that are tied to others', or of those that aren't.
    fn best(&mut self, local: bool) -> Option<Offer> {
        let is_local = &self.local;
        let takes = |column: usize| is_local[column] == local;
        self.candidates.best(&self.partition, &self.shared, &takes)
    }

    /// Specialise what concerns nobody else, without a message.
    fn finish_alone(&mut self) -> Result<()> {
        while let Some(offer) = self.best(true) {
            let labels = self.candidates.labels(&offer);
            let parts = self.candidates.parts(&offer, &self.partition);
            self.candidates.perform(&offer);
            self.partition.split(offer.column, offer.value, &labels, &parts)?;
            self.alone += 1;
        }
        self.shared.check(&self.partition)
    }

    /// Everything at the top must satisfy the guardians.
    fn begin(&mut self, wire: &mut dyn Wire) -> Result<()> {
        if self.guardians.is_empty() {
            return Ok(());
        }
        let own = self.guardian.as_ref().is_none_or(|own| own.accepts(&self.partition, None));
        match self.verdicts(wire, own)? {
            true => Ok(()),
            false => Err(Error::new(
                ErrorKind::Infeasible,
                "the models about sensitive columns don't hold even for all records together",
            )
            .hint("nothing was released; ask for less")),
        }
    }

    fn own_verdict(&self, offer: &Offer) -> bool {
        let Some(guardian) = &self.guardian else { return true };
        let parts = self.candidates.parts(offer, &self.partition);
        self.judged(guardian, offer.column, offer.value, &parts)
    }

    fn judged(&self, guardian: &Guardian<'_>, column: usize, value: u32, parts: &[u32]) -> bool {
        let records = self.partition.records(column, value);
        let part_of = |record: u32| records.binary_search(&record).map_or(0, |at| parts[at]);
        guardian.accepts(&self.partition, Some((column, value, &part_of)))
    }

    /// All hear all verdicts of guardians.
    fn verdicts(&self, wire: &mut dyn Wire, own: bool) -> Result<bool> {
        let (round, seat) = (self.round, wire.seat());
        let mut all = true;
        if self.guardians.contains(&seat) {
            wire.broadcast(&Message::Verdict { round, accepts: own })?;
            all &= own;
        }
        for &guardian in self.guardians.iter().filter(|guardian| **guardian != seat) {
            all &= wire.expect(guardian, "verdict", |message| match message {
                Message::Verdict { round: of, accepts } if of == round => Ok(accepts),
                other => Err(other),
            })?;
        }
        Ok(all)
    }

    /// Who wins, by scores in clear. Those who don't contribute say so.
    fn clear(&mut self, wire: &mut dyn Wire, offer: Option<&Offer>) -> Result<Winner> {
        let round = self.round;
        let spent = self.contributions.as_ref().is_some_and(Contributions::is_spent);
        let bid =
            offer.map(|offer| Bid { score: offer.score.to_bits(), column: offer.column as u32 });
        let own = match self.contributions.is_some() && (spent || bid.is_none()) {
            true => Message::Abstain { round },
            false => Message::Score { round, bid },
        };
        let bids = wire.exchange(&own, "score", |message| match message {
            Message::Score { round: of, bid } if of == round => Ok(bid),
            Message::Abstain { round: of } if of == round => Ok(None),
            other => Err(other),
        })?;
        let mut best: Option<(Bid, Seat)> = None;
        for (seat, bid) in bids.into_iter().enumerate() {
            let Some(bid) = bid else { continue };
            if self.owners.get(bid.column as usize) != Some(&seat) {
                return Err(Error::input(format!(
                    "{} offers a column that isn't its own",
                    wire.name(seat)
                )));
            }
            let is_better =
                best.is_none_or(|(other, _)| (bid.score, other.column) > (other.score, bid.column));
            if is_better {
                best = Some((bid, seat));
            }
        }
        Ok(best.map_or(Winner::Nobody, |(_, seat)| Winner::Seat(seat)))
    }

    /// Who wins, by comparisons that show no score.
    fn secret(
        &mut self,
        wire: &mut dyn Wire,
        offer: Option<&Offer>,
        secrets: &Secrets,
    ) -> Result<Winner> {
        let (round, seat) = (self.round, wire.seat());
        // Of equal scores the first column wins; zero means that there is none.
        let number = offer.map_or(0, |offer| {
            u128::from(offer.score.to_bits()) << 16 | u128::from(u16::MAX - offer.column as u16)
        });
        let winner = maximum(wire, number, u64::from(round), secrets)?;
        // The winner alone knows whether there was anything at all.
        let is_any = match winner == seat {
            true => {
                let column = offer.map_or(0, |offer| offer.column as u32);
                let bid = offer.map(|_| Bid { score: 0, column });
                wire.broadcast(&Message::Score { round, bid })?;
                offer.is_some()
            }
            false => wire.expect(winner, "score", |message| match message {
                Message::Score { round: of, bid } if of == round => Ok(bid.is_some()),
                other => Err(other),
            })?,
        };
        Ok(if is_any { Winner::Seat(winner) } else { Winner::Nobody })
    }

    /// Perform one's own candidate, once the guardians agree.
    fn lead(&mut self, wire: &mut dyn Wire, offer: &Offer) -> Result<()> {
        let parts = self.candidates.parts(offer, &self.partition);
        let labels = self.candidates.labels(offer);
        let score = self.contributions.is_some().then(|| offer.score.to_bits());
        let instruction = Instruction {
            round: self.round,
            column: offer.column as u32,
            value: offer.value,
            labels: labels.clone(),
            parts: Packed::new(&parts, labels.len()),
            score,
        };
        let message = Message::Instruct(instruction);
        let seat = wire.seat();
        let (first, later): (Vec<Seat>, Vec<Seat>) =
            wire.others().into_iter().partition(|other| self.guardians.contains(other));
        first.into_iter().try_for_each(|other| wire.send(other, &message))?;
        if !self.guardians.is_empty() && !self.verdicts(wire, true)? {
            self.candidates.forget(offer);
            self.rejected += 1;
            return Ok(());
        }
        later.into_iter().try_for_each(|other| wire.send(other, &message))?;
        let value = self.partition.label(offer.column, offer.value).to_string();
        self.candidates.perform(offer);
        self.partition.split(offer.column, offer.value, &labels, &parts)?;
        if let Some(contributions) = &mut self.contributions {
            contributions.own += Contributions::fixed(offer.score);
        }
        let shown = self.scores == Scores::Clear;
        self.note(wire, seat, offer.column, value, labels, shown.then_some(offer.score));
        self.shared.check(&self.partition)
    }

    /// Do what the winner says, if it may say so.
    fn follow(&mut self, wire: &mut dyn Wire, winner: Seat) -> Result<()> {
        let seat = wire.seat();
        let judges = self.guardians.contains(&seat);
        if !judges && !self.guardians.is_empty() && !self.verdicts(wire, true)? {
            self.rejected += 1;
            return Ok(());
        }
        let round = self.round;
        let instruction = wire.expect(winner, "instruct", |message| match message {
            Message::Instruct(instruction) if instruction.round == round => Ok(instruction),
            other => Err(other),
        })?;
        let Instruction { column, value, labels, parts, score, .. } = instruction;
        let column = column as usize;
        if self.owners.get(column) != Some(&winner) {
            return Err(Error::input(format!(
                "{} specialises a column that isn't its own",
                wire.name(winner)
            ))
            .hint("nothing was released"));
        }
        let parts = parts.parts(labels.len())?;
        if parts.len() != self.partition.records(column, value).len() {
            return Err(Error::input(format!(
                "{} divides records that don't have the value that it takes apart",
                wire.name(winner)
            ))
            .hint("nothing was released"));
        }
        if judges {
            let guardian = self.guardian.as_ref();
            let own = guardian.is_none_or(|own| self.judged(own, column, value, &parts));
            if !self.verdicts(wire, own)? {
                self.rejected += 1;
                return Ok(());
            }
        }
        let before = self.partition.label(column, value).to_string();
        self.partition.split(column, value, &labels, &parts)?;
        // Whoever instructs may lie about anything but what it does to the sizes of groups.
        self.shared.check(&self.partition)?;
        let score = score.map(f64::from_bits);
        if let (Some(contributions), Some(score)) = (&mut self.contributions, score) {
            contributions.others += Contributions::fixed(score);
        }
        self.note(wire, winner, column, before, labels, score);
        Ok(())
    }

    fn note(
        &mut self,
        wire: &dyn Wire,
        holder: Seat,
        column: usize,
        value: String,
        children: Vec<String>,
        score: Option<f64>,
    ) {
        let (column, holder) = (self.names[column].clone(), wire.name(holder));
        self.steps.push(StepNote { column, value, children, holder, score });
    }
}
