//! Downcoding: in a release whose regions overlap, whoever is in a narrow one isn't in the wide one
//! around it.

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
        // How often a claim is right: whoever is in one class only is there; of the others as many
        // are as there are rows left.
        let (mut sure, mut unsure) =
            (vec![0u64; stage.classes.len()], vec![0u64; stage.classes.len()]);
        for (classes, claims) in classes_of.iter().zip(&claimed) {
            let counts = if classes.len() == 1 { &mut sure } else { &mut unsure };
            claims.iter().for_each(|class| counts[*class as usize] += 1);
        }
        let right = |class: usize| {
            let rows = stage.classes[class].rows.len() as u64;
            let left = rows.saturating_sub(sure[class]) as f64;
            (left / unsure[class].max(1) as f64).min(1.0)
        };
        // Where rows are known to be whose, claims are judged one by one.
        let truth = stage.person_of_row();
        let mut class_of_person: Vec<Option<u32>> = vec![None; stage.n];
        for (row, person) in truth.iter().flatten().enumerate() {
            class_of_person[*person as usize] = Some(stage.class_of_row[row]);
        }
        let is_right = |person: usize| {
            class_of_person[person].is_some_and(|class| claimed[person].contains(&class))
        };
        let chance = |person: usize| {
            if truth.is_some() {
                let rows = stage.rows_of(&claimed[person]).max(1) as f64;
                return if is_right(person) { 1.0 / rows } else { 0.0 };
            }
            let claims = &claimed[person];
            let rows = stage.rows_of(claims) as f64;
            match classes_of[person].len() {
                0 => 0.0,
                1 => 1.0 / rows,
                _ => {
                    let weigh = |class: &u32| {
                        right(*class as usize) * stage.rows_of(&[*class]) as f64 / rows
                    };
                    claims.iter().map(weigh).sum::<f64>() / rows
                }
            }
        };
        let chances: Vec<f64> = (0..stage.n).into_par_iter().map(chance).collect();
        let plain = classes_of.iter().map(|classes| match stage.rows_of(classes) {
            0 => 0.0,
            rows => 1.0 / rows as f64,
        });
        let mut outcome = Outcome::of_everybody(&chances, 0.0);
        outcome.baseline = plain.sum::<f64>() / stage.n.max(1) as f64;
        let k = stage.classes.iter().map(|class| class.rows.len() as u64).min().unwrap_or(0);
        let is_short = |class: &usize| sure[*class] + unsure[*class] < k;
        let short: u64 = (0..stage.classes.len())
            .filter(is_short)
            .map(|class| stage.classes[class].rows.len() as u64)
            .sum();
        let narrowed =
            classes_of.iter().zip(&claimed).filter(|(all, claims)| all.len() > claims.len());
        outcome.remarks.push(format!(
            "{} people are taken out of wider regions; {short} rows have fewer than {k} people \
             left, the size of the smallest class",
            narrowed.count()
        ));
        if truth.is_some() {
            let of_short = |person: &usize| {
                let class = class_of_person[*person];
                class.is_some_and(|class| is_short(&(class as usize))) && is_right(*person)
            };
            let broken = (0..stage.n).filter(of_short).count();
            let narrowed = |person: &usize| classes_of[*person].len() > claimed[*person].len();
            let (right, wrong): (Vec<usize>, Vec<usize>) =
                (0..stage.n).filter(narrowed).partition(|person| is_right(*person));
            outcome.remarks.push(format!(
                "judged by a kept column: {} people are taken out of wider regions rightly and {} \
                 wrongly; of the rows with too few people left {broken} have theirs among them",
                right.len(),
                wrong.len()
            ));
        }
        outcome.remarks.push("guessing is record linkage without regard to nested regions".into());
        Ok(outcome)
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
