//! Minimality: a class that is as wide as it is tells that a narrower one would have broken the
//! model.

use sfumato_core::Result;
use sfumato_core::registry::{Argument, Call, Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome, Score, Worst};

use super::TableStage;
use super::guess::{ON, one_if, sensitive};
use super::minimal::Bounds;
use super::worlds::{Parts, credence};

/// The attack `minimality`, an entry of the registry.
pub struct Minimality;

/// The paper that shows it.
pub const WONG: Paper = Paper {
    authors: "Raymond Chi-Wing Wong, Ada Wai-Chee Fu, Ke Wang, Jian Pei",
    title: "Minimality attack in privacy preserving data publishing",
    venue: "International Conference on Very Large Data Bases",
    year: 2007,
};

static INFO: Info = Info {
    name: "minimality",
    summary: "learns from how wide a class is, knowing the model that it was made for",
    papers: &[WONG],
    params: &[
        ON,
        ParamSpec::optional(
            "h",
            ParamKind::Number { min: 0.0, above: true, max: 1.0 },
            "the bound on confidence that the release was made for; that of its model without it",
        ),
        ParamSpec::with_default(
            "from",
            ParamKind::Number { min: 1.0, above: false, max: 1e6 },
            "2",
            "overlapping regions: how many times as many people as rows a region covers at least",
        ),
        ParamSpec::with_default(
            "to",
            ParamKind::Number { min: 1.0, above: false, max: 1e6 },
            "4",
            "overlapping regions: how many times as many at most",
        ),
    ],
    doc: include_str!("minimality.md"),
    ..Info::DEFAULT
};

/// Classes with more rows are passed over: what their parts say is next to nothing, and counting
/// worlds takes long.
const MOST_ROWS: usize = 2000;

impl Attack<TableStage> for Minimality {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized"]
    }
    fn lacks(&self, params: &Params, stage: &TableStage) -> Option<String> {
        let bound = || {
            let is_known = params.text("h").is_some() || bound(stage).is_some();
            let is_other = || {
                let column = sensitive(params, stage).ok();
                column.is_some_and(|column| Bounds::of(stage, column).is_some())
            };
            (!is_known && !is_other()).then(|| {
                "the model about sensitive values that the release was made for (--model \
                 'confidence-bounding(h=0.5)')"
                    .into()
            })
        };
        stage.lacks_sensitive().or_else(bound)
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let column = sensitive(params, stage)?;
        let said = params.text("h").map(|_| params.number("h"));
        let known = said.or_else(|| bound(stage));
        if let (None, Some(bounds)) = (known, Bounds::of(stage, column)) {
            return Ok(by_any_model(params, stage, column, &bounds, chance));
        }
        let h = known.unwrap_or(1.0);
        let (from, to) = (params.number("from"), params.number("to"));
        let secret = &stage.sensitive[column];
        let covered = covered(stage);
        let overall = stage.n_rows.max(1) as f64;
        let guarded = guarded(stage);
        let guards = |code: u32| match &guarded {
            None => true,
            Some(values) => secret.labels.get(code as usize).is_some_and(|it| values.contains(it)),
        };
        let (mut score, mut guessed, mut worst) = (Score::default(), 0.0, Vec::new());
        let mut claim = |person: u32, code: u32, believed: f64| {
            let is_right = secret.people[person as usize] == code;
            score.add(one_if(is_right));
            guessed += secret.overall[code as usize] as f64 / overall;
            if is_right {
                worst.push(Worst { record: u64::from(person) + 1, chance: believed.min(1.0) });
            }
        };
        for (class, people) in covered.iter().enumerate() {
            let rows = stage.classes[class].rows.len();
            let group = &stage.groups[stage.classes[class].group as usize];
            let around = people.len() as f64 / rows as f64;
            for (code, count) in &group.counts[column] {
                // A value that the model doesn't guard, or that breaks it already, drives nothing.
                if !guards(*code) || *count as f64 > h * rows as f64 + 1e-9 {
                    continue;
                }
                if people.len() == rows && rows <= MOST_ROWS {
                    // Everybody is known: worlds in which no part breaks the bound are ruled out.
                    let parts = Parts::of(stage, people);
                    if parts.count() < 2 {
                        continue;
                    }
                    let credence = credence(&parts.sizes(), *count, h);
                    for (part, believed) in parts.iter().zip(credence) {
                        if believed > h + 1e-9 {
                            part.iter().for_each(|person| claim(*person, *code, believed));
                        }
                    }
                } else if (from..=to).contains(&around)
                    && (*count + 1) as f64 > h * rows as f64 + 1e-9
                {
                    // The class is at its cap: whoever had the value and was too much is elsewhere
                    // in the region.
                    people.iter().for_each(|person| claim(*person, *code, h));
                }
            }
        }
        let remark = match score.queries {
            0 => format!("no class tells more than the bound {h}"),
            _ => format!("the model allows {h}: what is above it breaks the promise"),
        };
        let queries = score.queries;
        if queries == 0 {
            // Everybody was looked at, and nothing can be said of anybody.
            score = Score::new(0.0, stage.n as u64);
        }
        Ok(Outcome {
            score,
            baseline: if queries == 0 { 0.0 } else { guessed / queries as f64 },
            everybody: true,
            worst: Outcome::worst_of(worst.into_iter()),
            remarks: vec![remark],
            ..Outcome::default()
        })
    }
}

/// The people whom each class covers.
fn covered(stage: &TableStage) -> Vec<Vec<u32>> {
    let links = stage.links_by_all();
    let mut covered: Vec<Vec<u32>> = vec![Vec::new(); stage.classes.len()];
    for person in 0..stage.n {
        let classes = links.of(person);
        classes.iter().for_each(|class| covered[*class as usize].push(person as u32));
    }
    covered
}

/// Play it against a model of any kind: claims are compared with what the classes say themselves.
fn by_any_model(
    params: &Params,
    stage: &TableStage,
    column: usize,
    bounds: &Bounds,
    chance: &mut Chance,
) -> Outcome {
    let (from, to) = (params.number("from"), params.number("to"));
    let secret = &stage.sensitive[column];
    let (mut score, mut said, mut worst) = (Score::default(), 0.0, Vec::new());
    let mut claim = |person: u32, code: u32, believed: f64, share: f64| {
        let is_right = secret.people[person as usize] == code;
        score.add(one_if(is_right));
        said += share;
        if is_right {
            worst.push(Worst { record: u64::from(person) + 1, chance: believed.min(1.0) });
        }
    };
    for (class, people) in covered(stage).iter().enumerate() {
        let rows = stage.classes[class].rows.len();
        let counts = &stage.groups[stage.classes[class].group as usize].counts[column];
        let share = |code: u32| {
            let own = counts.iter().find(|(other, _)| *other == code);
            own.map_or(0.0, |(_, count)| *count as f64 / rows as f64)
        };
        if people.len() == rows && rows <= MOST_ROWS {
            let parts = Parts::of(stage, people);
            if parts.count() < 2 {
                continue;
            }
            for (part, found) in parts.iter().zip(bounds.credence(&parts, counts, chance)) {
                if let Some((code, believed)) = found {
                    part.iter().for_each(|person| claim(*person, code, believed, share(code)));
                }
            }
        } else if (from..=to).contains(&(people.len() as f64 / rows as f64)) {
            for code in bounds.at_cap(counts) {
                people.iter().for_each(|person| claim(*person, code, share(code), share(code)));
            }
        }
    }
    let queries = score.queries;
    if queries == 0 {
        score = Score::new(0.0, stage.n as u64);
    }
    let remark = match queries {
        0 => "no class tells more than its own values say",
        _ => "guessing is what the classes themselves say: what is above it follows from the model",
    };
    Outcome {
        score,
        baseline: if queries == 0 { 0.0 } else { said / queries as f64 },
        everybody: true,
        worst: Outcome::worst_of(worst.into_iter()),
        remarks: vec![remark.into()],
        ..Outcome::default()
    }
}

/// The values that the models guard, if they name some.
fn guarded(stage: &TableStage) -> Option<Vec<String>> {
    let named = |model: &Call| match model.args.get("values")? {
        Argument::Word(text) => Some(vec![text.clone()]),
        Argument::List(texts) => Some(texts.clone()),
    };
    let of_bounds = stage.models.iter().filter(|model| bound_of(model).is_some());
    let values: Vec<Option<Vec<String>>> = of_bounds.map(named).collect();
    let all: Option<Vec<Vec<String>>> = values.into_iter().collect();
    all.filter(|all| !all.is_empty()).map(|all| all.concat())
}

/// The least bound on confidence among the models that the release was made for.
fn bound(stage: &TableStage) -> Option<f64> {
    stage.models.iter().filter_map(bound_of).reduce(f64::min)
}

fn bound_of(model: &Call) -> Option<f64> {
    let key = match model.name.as_str() {
        "confidence-bounding" => "h",
        "alpha-k-anonymity" => "alpha",
        _ => return None,
    };
    match model.args.get(key)? {
        Argument::Word(text) => text.parse::<f64>().ok(),
        Argument::List(_) => None,
    }
}
