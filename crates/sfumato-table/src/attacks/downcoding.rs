//! Downcoding: in a release whose regions overlap, whoever fits a narrow one is probably not in the
//! wide one around it.

use rayon::prelude::*;
use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;

/// The attack `downcoding`, an entry of the registry.
pub struct Downcoding;

static INFO: Info = Info {
    name: "downcoding",
    summary: "takes people out of wide regions that narrower ones inside them cover",
    papers: &[Paper {
        authors: "Aloni Cohen",
        title: "Attacks on deidentification's defenses",
        venue: "USENIX Security Symposium",
        year: 2022,
    }],
    params: &[],
    doc: include_str!("downcoding.md"),
    ..Info::DEFAULT
};

impl Attack<TableStage> for Downcoding {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized"]
    }
    fn play(&self, _: &Params, stage: &TableStage, _: &mut Chance) -> Result<Outcome> {
        let links = stage.links_by_all();
        let classes_of: Vec<Vec<u32>> =
            (0..stage.n).into_par_iter().map(|person| links.of(person)).collect();
        let widths = widths(stage);
        // Of the classes that cover a person, those that hold no narrower one of them.
        let narrowest = |classes: &Vec<u32>| -> Vec<u32> {
            let holds_other = |class: &&u32| {
                !classes.iter().any(|other| is_inside(stage, &widths, *other, **class))
            };
            classes.iter().filter(holds_other).copied().collect()
        };
        let claimed: Vec<Vec<u32>> = classes_of.par_iter().map(narrowest).collect();
        let left = Left::new(stage, &classes_of, &claimed);
        let truth = Truth::of(stage);
        let chance = |person: usize| match &truth {
            // Where rows are known to be whose, claims are judged one by one.
            Some(truth) => {
                let rows = stage.rows_of(&claimed[person]).max(1) as f64;
                if truth.is_in(person, &claimed[person]) { 1.0 / rows } else { 0.0 }
            }
            None => left.chance(stage, classes_of[person].len(), &claimed[person]),
        };
        let chances: Vec<f64> = (0..stage.n).into_par_iter().map(chance).collect();
        let plain = classes_of.iter().map(|classes| match stage.rows_of(classes) {
            0 => 0.0,
            rows => 1.0 / rows as f64,
        });
        let mut outcome = Outcome::of_everybody(&chances, 0.0);
        outcome.baseline = plain.sum::<f64>() / stage.n.max(1) as f64;
        outcome.remarks.push(left.remark(stage, &classes_of, &claimed));
        if let Some(truth) = &truth {
            outcome.remarks.push(truth.remark(stage, &classes_of, &claimed));
        }
        outcome.remarks.push("guessing is record linkage without regard to nested regions".into());
        Ok(outcome)
    }
}

/// How many people are left for each class after others were taken out.
struct Left {
    /// People whom no other class covers.
    sure: Vec<u64>,
    /// People whom other classes cover, too, and who weren't taken out.
    unsure: Vec<u64>,
}

impl Left {
    fn new(stage: &TableStage, classes_of: &[Vec<u32>], claimed: &[Vec<u32>]) -> Self {
        let nobody = || vec![0u64; stage.classes.len()];
        let mut left = Left { sure: nobody(), unsure: nobody() };
        for (classes, claims) in classes_of.iter().zip(claimed) {
            let counts = if classes.len() == 1 { &mut left.sure } else { &mut left.unsure };
            claims.iter().for_each(|class| counts[*class as usize] += 1);
        }
        left
    }

    /// How often the attacker links a person rightly, as far as counts say: whoever is in one class
    /// only is there, and of the others as many are as there are rows left.
    fn chance(&self, stage: &TableStage, n_classes: usize, claims: &[u32]) -> f64 {
        let rows = stage.rows_of(claims) as f64;
        let right = |class: usize| {
            let rows = stage.classes[class].rows.len() as u64;
            let left = rows.saturating_sub(self.sure[class]) as f64;
            (left / self.unsure[class].max(1) as f64).min(1.0)
        };
        let weigh = |class: &u32| right(*class as usize) * stage.rows_of(&[*class]) as f64 / rows;
        match n_classes {
            0 => 0.0,
            1 => 1.0 / rows,
            _ => claims.iter().map(weigh).sum::<f64>() / rows,
        }
    }

    fn remark(&self, stage: &TableStage, classes_of: &[Vec<u32>], claimed: &[Vec<u32>]) -> String {
        let narrowed = classes_of.iter().zip(claimed).filter(|(all, left)| all.len() > left.len());
        // A class has as many owners as rows. If fewer people are left, some were taken out who
        // are in it, and the attacker knows that, too.
        let missing = |class: usize| {
            let rows = stage.classes[class].rows.len() as u64;
            rows.saturating_sub(self.sure[class] + self.unsure[class])
        };
        let wrong: u64 = (0..stage.classes.len()).map(missing).sum();
        format!(
            "{} people are taken out of wider regions; at least {wrong} of them wrongly, since \
             fewer people than rows are left there",
            narrowed.count()
        )
    }
}

/// Which class each person is in, where a kept column tells.
struct Truth {
    class_of_person: Vec<Option<u32>>,
}

impl Truth {
    fn of(stage: &TableStage) -> Option<Self> {
        let mut class_of_person: Vec<Option<u32>> = vec![None; stage.n];
        for (row, person) in stage.person_of_row()?.iter().enumerate() {
            class_of_person[*person as usize] = Some(stage.class_of_row[row]);
        }
        Some(Truth { class_of_person })
    }

    fn is_in(&self, person: usize, classes: &[u32]) -> bool {
        self.class_of_person[person].is_some_and(|class| classes.contains(&class))
    }

    /// What was taken out rightly, and among how many people the owner of a row is: those who are
    /// left for its class, over the chance that the owner is one of them.
    fn remark(&self, stage: &TableStage, classes_of: &[Vec<u32>], claimed: &[Vec<u32>]) -> String {
        let (mut right, mut wrong) = (0u64, 0u64);
        let mut left = vec![(0u64, 0u64); stage.classes.len()];
        for (person, (all, claims)) in classes_of.iter().zip(claimed).enumerate() {
            let is_right = self.is_in(person, claims);
            if all.len() > claims.len() {
                *(if is_right { &mut right } else { &mut wrong }) += 1;
            }
            for class in claims {
                let (people, owners) = &mut left[*class as usize];
                *people += 1;
                *owners += u64::from(self.class_of_person[person] == Some(*class));
            }
        }
        let hidden = |(class, (people, owners)): (usize, &(u64, u64))| {
            let rows = stage.classes[class].rows.len() as f64;
            (*owners > 0).then(|| rows * *people as f64 / *owners as f64)
        };
        let least = left.iter().enumerate().filter_map(hidden).reduce(f64::min);
        let least = least.map_or("none".into(), |least| format!("{least:.1}"));
        format!(
            "judged by a kept column: {right} people are taken out of wider regions rightly and \
             {wrong} wrongly; the owner of a row is hidden among {least} people at least"
        )
    }
}

/// How much each published text covers, by column.
fn widths(stage: &TableStage) -> Vec<Vec<u32>> {
    let column = |quasi: &super::stage::Quasi| {
        let width = |cover: &crate::forms::generalized::cover::Cover| {
            (0..quasi.n_codes as u32).filter(|code| cover.has(*code)).count() as u32
        };
        quasi.covers.iter().map(width).collect()
    };
    stage.quasi.iter().map(column).collect()
}

/// Whether a class lies inside another one and isn't the same. Both cover a common person, so that
/// intervals of trees and ranges of which one is narrower lie inside each other or overlap.
fn is_inside(stage: &TableStage, widths: &[Vec<u32>], inner: u32, outer: u32) -> bool {
    let mut is_narrower = false;
    for (quasi, widths) in stage.quasi.iter().zip(widths) {
        let (a, b) = (quasi.text_of_class[inner as usize], quasi.text_of_class[outer as usize]);
        if a == b {
            continue;
        }
        let (inside, around) = (&quasi.covers[a as usize], &quasi.covers[b as usize]);
        let (low, high) = inside.span();
        let is_covered = widths[a as usize] <= widths[b as usize]
            && (around.has(low) && around.has(high))
            && (low..=high).all(|code| !inside.has(code) || around.has(code));
        if !is_covered {
            return false;
        }
        is_narrower |= widths[a as usize] < widths[b as usize];
    }
    is_narrower
}
