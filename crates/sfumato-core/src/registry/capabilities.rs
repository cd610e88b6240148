//! What an algorithm can do and what a model is about, as data: programs ask here and never by
//! name.
//!
//! Whatever depends on the parameters of a call, such as whether a requirement is monotone, is
//! asked of the bound requirement instead.

use crate::facts::Fact;
use crate::traits::Effort;

/// What an algorithm can do. An entry writes what differs from [`Capabilities::DEFAULT`], so that a
/// new capability edits only the algorithms that have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capabilities {
    /// The facts whose promises it can keep. The first is what it counts itself; the others follow
    /// from that.
    pub serves: &'static [Fact],
    /// Whether it needs monotone requirements.
    pub needs_monotone: bool,
    /// Whether, where records may be suppressed, it needs requirements that no joining group can
    /// break.
    pub needs_absorbing_to_suppress: bool,
    /// Whether every quasi column must have a hierarchy, even one whose values have an order.
    pub needs_hierarchies: bool,
    /// Whether what it finds keeps the requirements. Of some published algorithms it is known that
    /// it needn't: what they find is checked like everything else and refused where it fails, which
    /// is then no fault of the program.
    pub keeps_promises: bool,
    /// Whether the way in which it draws promises privacy by itself, so that no model need judge.
    pub promises_privacy: bool,
    /// Whether what it finds are groups for a bucket release, never generalized values.
    pub makes_buckets: bool,
    /// Whether it draws which published record stands for which original one, and what it finds
    /// hides nobody in classes. Then the order of the input can't be kept, and regions say nothing
    /// of other rows.
    pub draws: bool,
    /// Whether its regions follow sensitive values beyond accepting or refusing a split. Whoever
    /// knows the algorithm may conclude from a region that a smaller one would have broken a model,
    /// and so more about its sensitive values than the model allows (minimality).
    pub fits_sensitive: bool,
    /// Whether regions are cut by counts alone, and what sensitive values decide beyond that is
    /// mixed with chance, so that no region tells for certain what a narrower one would have
    /// broken.
    pub cuts_blindly: bool,
    /// Whether it looks at what the recipient will do with the release.
    pub uses_workload: bool,
    /// Whether it takes records that stand for several.
    pub takes_weights: bool,
    /// What a job may ask for that it doesn't look at, as the job says it: `max_suppression`,
    /// `metric`.
    pub ignores: &'static [&'static str],
    /// About how long it takes on two cores, in nanoseconds per quasi cell, for `explain`; `None`
    /// where that depends on more than the number of cells.
    pub nanoseconds_per_cell: Option<PerEffort>,
    /// Whether it can go on where memory can't hold the data, and how.
    pub out_of_core: OutOfCore,
    /// Whether it holds, long before it ends, a result that could be published, so that it can be
    /// told to stop looking for a better one ([`Observer::enough`](crate::observer::Observer)).
    pub anytime: bool,
    /// Whether it must see all records at once. What an algorithm finds in each partition of the
    /// records keeps the promises for all of them where this is false.
    pub needs_all_records: bool,
}

impl Capabilities {
    /// An algorithm that serves no model and does nothing special.
    pub const DEFAULT: Capabilities = Capabilities {
        serves: &[],
        needs_monotone: false,
        needs_absorbing_to_suppress: false,
        needs_hierarchies: false,
        keeps_promises: true,
        promises_privacy: false,
        makes_buckets: false,
        draws: false,
        fits_sensitive: false,
        cuts_blindly: false,
        uses_workload: false,
        takes_weights: false,
        ignores: &[],
        nanoseconds_per_cell: None,
        out_of_core: OutOfCore::No,
        anytime: false,
        needs_all_records: true,
    };

    /// Whether it can keep promises about a fact.
    pub fn can_serve(&self, fact: Fact) -> bool {
        self.serves.contains(&fact)
    }

    /// About how long it takes at an effort, in nanoseconds per quasi cell.
    pub fn nanoseconds_per_cell(&self, effort: Effort) -> Option<f64> {
        self.nanoseconds_per_cell.map(|times| times.at(effort))
    }

    /// What it can do, in sentences.
    pub fn describe(&self) -> Vec<String> {
        let serves: Vec<&str> = self.serves.iter().map(|fact| fact.describe()).collect();
        let mut lines = vec![match serves.is_empty() {
            true => "It serves no model.".to_string(),
            false => format!("It serves models about {}.", serves.join("; ")),
        }];
        let mut say = |holds: bool, sentence: &str| {
            if holds {
                lines.push(sentence.to_string());
            }
        };
        say(self.needs_monotone, "It needs monotone models.");
        say(
            self.needs_absorbing_to_suppress,
            "Where records may be suppressed, it needs models that no joining group can break.",
        );
        say(self.needs_hierarchies, "It needs a hierarchy for every quasi column.");
        say(!self.keeps_promises, "What it finds may break the models, and is then refused.");
        say(self.promises_privacy, "The way in which it draws promises privacy by itself.");
        say(self.makes_buckets, "It makes groups for bucket releases.");
        say(self.draws, "It draws which published record stands for which original one.");
        say(
            self.fits_sensitive,
            "Its regions follow sensitive values: whoever knows how it works may learn more of \
             them than a model about them says.",
        );
        say(
            self.cuts_blindly,
            "It cuts regions by counts alone, and what sensitive values decide beyond that doesn't \
             show for certain.",
        );
        say(self.uses_workload, "It looks at the workload.");
        say(self.takes_weights, "It takes records that stand for several.");
        if !self.ignores.is_empty() {
            let keys: Vec<String> = self.ignores.iter().map(|key| format!("`{key}`")).collect();
            lines.push(format!("It doesn't look at {}.", keys.join(" and ")));
        }
        if let Some(PerEffort { low, normal, high }) = self.nanoseconds_per_cell {
            let times = match low == normal && normal == high {
                true => format!("{normal} nanoseconds"),
                false => format!("{low}, {normal} or {high} nanoseconds, by effort,"),
            };
            lines.push(format!("On two cores it takes about {times} for each quasi cell."));
        }
        lines.extend(self.out_of_core.describe().map(String::from));
        if self.anytime {
            lines.push("It is an anytime algorithm: it improves a result that it has.".into());
        }
        lines.push(match self.needs_all_records {
            true => "It must see all records at once.".into(),
            false => "It can be run on one partition of the records after the other.".into(),
        });
        lines
    }
}

/// A number for each effort.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PerEffort {
    /// The number at low effort.
    pub low: f64,
    /// The number at normal effort.
    pub normal: f64,
    /// The number at high effort.
    pub high: f64,
}

impl PerEffort {
    /// The same number whatever the effort.
    pub const fn same(number: f64) -> Self {
        PerEffort { low: number, normal: number, high: number }
    }
    /// The number at an effort.
    pub fn at(&self, effort: Effort) -> f64 {
        match effort {
            Effort::Low => self.low,
            Effort::Normal => self.normal,
            Effort::High => self.high,
        }
    }
}

/// How an algorithm goes on where memory can't hold the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfCore {
    /// It doesn't: the data must be in memory.
    No,
    /// On partitions that the program divides the records into.
    Divided,
    /// On partitions that it makes itself, from counts of values.
    ByTree,
    /// On partitions that it makes itself, from a sample.
    BySample,
    /// Its groups of records are on disk, and it reads them as it goes down the trees.
    ByCuts,
}

impl OutOfCore {
    fn describe(self) -> Option<&'static str> {
        match self {
            OutOfCore::No => None,
            OutOfCore::Divided => Some("It goes on where the table is larger than memory."),
            OutOfCore::ByTree => {
                Some("It divides tables larger than memory itself, by counts of values.")
            }
            OutOfCore::BySample => {
                Some("It divides tables larger than memory itself, by a sample.")
            }
            OutOfCore::ByCuts => Some("It holds the groups of tables larger than memory on disk."),
        }
    }
}

/// What is kept from whoever reads a release: the two disclosures of the literature (Lambert 1993).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Disclosure {
    /// Which record is somebody's.
    Identity,
    /// Something about somebody, whichever record is theirs.
    Attribute,
    /// Whether somebody is in the data.
    Membership,
}

impl Disclosure {
    /// The word for it in the catalogue.
    pub fn name(self) -> &'static str {
        match self {
            Disclosure::Identity => "identity",
            Disclosure::Attribute => "attribute",
            Disclosure::Membership => "membership",
        }
    }
}

/// What a model is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct About {
    /// The facts of a release that it is judged on: all of them are asked for.
    pub asks: &'static [Fact],
    /// The disclosures that it limits.
    pub limits: &'static [Disclosure],
}

impl About {
    /// The entry is no model, and is about nothing.
    pub const NOTHING: About = About { asks: &[], limits: &[] };
    /// What most models for sensitive values are about.
    pub const SENSITIVE_VALUES: About =
        About { asks: &[Fact::SensitiveValues], limits: &[Disclosure::Attribute] };

    /// Whether it can be judged only beside the original.
    pub fn needs_original(&self) -> bool {
        self.asks.iter().any(|fact| fact.needs_original())
    }

    /// Whether what some form of release states suffices to judge it.
    pub fn can_be_judged(&self, stated: &[Fact]) -> bool {
        !self.asks.is_empty() && self.asks.iter().all(|fact| stated.contains(fact))
    }

    /// What it is about, in sentences; the forms in which it can be judged are named by whoever
    /// knows them.
    pub fn describe(&self, forms: &[String]) -> Vec<String> {
        let limits: Vec<&str> = self.limits.iter().map(|limit| limit.name()).collect();
        let asks: Vec<&str> = self.asks.iter().map(|fact| fact.describe()).collect();
        let mut lines = vec![
            format!("It limits {} disclosure.", limits.join(" and ")),
            format!("It is judged on {}.", asks.join("; ")),
        ];
        lines.push(match self.needs_original() {
            true => "Judging it needs the original beside the release.".into(),
            false => "Judging it needs nothing but the release.".into(),
        });
        lines.push(match forms.is_empty() {
            true => "No form of release states that.".into(),
            false => format!("Forms that state that: {}.", forms.join(", ")),
        });
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::Hiding;

    #[test]
    fn every_capability_that_differs_is_said() {
        let plain = Capabilities::DEFAULT.describe();
        assert_eq!(plain, ["It serves no model.", "It must see all records at once."]);
        let all = Capabilities {
            serves: Fact::OF_CLASSES,
            needs_monotone: true,
            needs_absorbing_to_suppress: true,
            needs_hierarchies: true,
            keeps_promises: false,
            promises_privacy: true,
            makes_buckets: true,
            draws: true,
            fits_sensitive: true,
            cuts_blindly: true,
            uses_workload: true,
            takes_weights: true,
            ignores: &["metric", "max_suppression"],
            nanoseconds_per_cell: Some(PerEffort { low: 1.0, normal: 2.0, high: 3.0 }),
            out_of_core: OutOfCore::Divided,
            anytime: true,
            needs_all_records: false,
        };
        let lines = all.describe();
        assert_eq!(lines.len(), 17);
        assert!(lines.contains(&"It doesn't look at `metric` and `max_suppression`.".to_string()));
        assert_eq!(all.nanoseconds_per_cell(Effort::High), Some(3.0));
        assert_eq!(Capabilities::DEFAULT.nanoseconds_per_cell(Effort::High), None);
    }

    #[test]
    fn a_model_is_judged_where_all_that_it_asks_for_is_stated() {
        let about = About { asks: Fact::OF_CLASSES, limits: &[Disclosure::Identity] };
        assert!(about.needs_original() && !About::SENSITIVE_VALUES.needs_original());
        assert!(about.can_be_judged(Fact::OF_CUTS));
        assert!(!about.can_be_judged(&[Fact::Classes]));
        assert!(!about.can_be_judged(&[Fact::Hiding(Hiding::Matches)]));
        // What asks for nothing isn't a model that holds everywhere.
        assert!(!About::NOTHING.can_be_judged(Fact::OF_CUTS));
    }
}
