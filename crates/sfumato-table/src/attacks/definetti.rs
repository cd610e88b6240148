//! DeFinetti: what groups have in common tells which of its values a member has.
//!
//! A random worlds attacker takes every assignment of a group's values to its members to be equally
//! likely. This one learns a naive Bayes model over all groups at once: assignments are drawn by
//! exchanging values of two members of a group, and weighed by how well quasi and sensitive values
//! go together in all of them.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Paper, ParamKind, ParamSpec, Params};
use sfumato_engine::attack::{Attack, Chance, Outcome};

use super::TableStage;
use super::bayes::bins;
use super::guess::{ON, sensitive};
use super::links::{merged, right_guess};

/// The attack `definetti`, an entry of the registry.
pub struct DeFinetti;

static INFO: Info = Info {
    name: "definetti",
    summary: "learns over all groups which values go with which quasi values, and uses it in each",
    papers: &[Paper {
        authors: "Daniel Kifer",
        title: "Attacks on privacy and deFinetti's theorem",
        venue: "ACM SIGMOD International Conference on Management of Data",
        year: 2009,
    }],
    params: &[
        ON,
        ParamSpec::with_default(
            "rounds",
            ParamKind::Integer { min: 1, max: 1_000_000 },
            "200",
            "how often assignments are drawn, after a fifth as many that don't count",
        ),
    ],
    doc: include_str!("definetti.md"),
    ..Info::DEFAULT
};

/// A member of a group: a row of a bucket release, or a person of a class.
struct Member {
    group: u32,
    /// The bin of each quasi column.
    bins: Vec<u32>,
}

impl Attack<TableStage> for DeFinetti {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn forms(&self) -> &'static [&'static str] {
        &["generalized", "buckets"]
    }
    fn lacks(&self, _: &Params, stage: &TableStage) -> Option<String> {
        stage.lacks_sensitive()
    }
    fn play(&self, params: &Params, stage: &TableStage, chance: &mut Chance) -> Result<Outcome> {
        let (column, rounds) = (sensitive(params, stage)?, params.count("rounds") as usize);
        let links = stage.links_by_all();
        let binned: Vec<(Vec<u32>, usize)> =
            (0..stage.quasi.len()).map(|column| bins(stage, column)).collect();
        let bins_of = |code: &dyn Fn(usize) -> u32| -> Vec<u32> {
            (0..binned.len()).map(|at| binned[at].0[code(at) as usize]).collect()
        };
        let n_bins: Vec<usize> = binned.iter().map(|(_, n)| *n).collect();
        // Who is asked about, and which members each may be.
        let mut members: Vec<Member> = Vec::new();
        let mut asked: Vec<(usize, Vec<u32>)> = Vec::new();
        let classes_of: Vec<Vec<u32>> = (0..stage.n).map(|person| links.of(person)).collect();
        if stage.form == "buckets" {
            let mut of_class: Vec<Vec<u32>> = vec![Vec::new(); stage.classes.len()];
            for (class, known) in stage.classes.iter().enumerate() {
                let code = |at: usize| {
                    let quasi = &stage.quasi[at];
                    let (low, high) = quasi.covers[quasi.text_of_class[class] as usize].span();
                    // What nobody of the original has is as good as missing.
                    if low <= high { low } else { quasi.n_codes as u32 - 1 }
                };
                for _ in &known.rows {
                    of_class[class].push(members.len() as u32);
                    members.push(Member { group: known.group, bins: bins_of(&code) });
                }
            }
            for (person, classes) in classes_of.iter().enumerate() {
                let of_person = classes.iter().flat_map(|class| &of_class[*class as usize]);
                asked.push((person, of_person.copied().collect()));
            }
        } else {
            // Classes whose members are known: as many people as rows, and nobody in another.
            let mut people: Vec<Vec<u32>> = vec![Vec::new(); stage.classes.len()];
            for (person, classes) in classes_of.iter().enumerate() {
                if let [class] = classes[..] {
                    people[class as usize].push(person as u32);
                }
            }
            for (class, known) in stage.classes.iter().enumerate() {
                if people[class].len() != known.rows.len() {
                    continue;
                }
                for person in &people[class] {
                    let code = |at: usize| stage.quasi[at].people[*person as usize];
                    asked.push((*person as usize, vec![members.len() as u32]));
                    members.push(Member { group: known.group, bins: bins_of(&code) });
                }
            }
        }
        let values: Vec<Vec<u32>> = (stage.groups.iter())
            .map(|group| {
                let counts = group.counts[column].iter();
                counts.flat_map(|(code, n)| std::iter::repeat_n(*code, *n as usize)).collect()
            })
            .collect();
        let beliefs = posterior(values, &members, &n_bins, rounds, chance);
        let secret = &stage.sensitive[column];
        let mut at_random = 0.0;
        let mut chances = vec![0.0; stage.n];
        for (person, of_person) in &asked {
            let share = 1.0 / of_person.len().max(1) as f64;
            let belief = of_person.iter().flat_map(|member| {
                beliefs[*member as usize].iter().map(move |(code, chance)| (*code, chance * share))
            });
            let truth = secret.people[*person];
            chances[*person] = right_guess(&merged(belief.collect()), truth);
            at_random += right_guess(&stage.belief(column, &classes_of[*person]), truth);
        }
        let mut outcome = Outcome::of_everybody(&chances, 0.0);
        outcome.score.queries = asked.len() as u64;
        outcome.baseline = at_random / asked.len().max(1) as f64;
        outcome.sought = Some(stage.n as u64);
        outcome.everybody = asked.len() == stage.n;
        outcome
            .remarks
            .push("guessing is to take each value of a group as often as it occurs".into());
        if asked.len() < stage.n {
            let left = stage.n - asked.len();
            outcome
                .remarks
                .push(format!("{left} people may be in several classes: not asked about"));
        }
        Ok(outcome)
    }
}

/// What is believed of each member: the values of its group in the shares of the draws. A group has
/// as many values as members.
fn posterior(
    values: Vec<Vec<u32>>,
    members: &[Member],
    n_bins: &[usize],
    rounds: usize,
    chance: &mut Chance,
) -> Vec<Vec<(u32, f64)>> {
    let mut of_group: Vec<Vec<u32>> = vec![Vec::new(); values.len()];
    for (member, known) in members.iter().enumerate() {
        of_group[known.group as usize].push(member as u32);
    }
    let n_codes = values.iter().flatten().max().map_or(0, |code| *code as usize + 1);
    // Values in any order to begin with.
    let mut value = vec![0u32; members.len()];
    for (mut values, members) in values.into_iter().zip(&of_group) {
        chance.shuffle(&mut values);
        for (member, code) in members.iter().zip(values) {
            value[*member as usize] = code;
        }
    }
    let starts: Vec<usize> = n_bins
        .iter()
        .scan(0, |sum, n| {
            let start = *sum;
            *sum += n;
            Some(start)
        })
        .collect();
    let width: usize = n_bins.iter().sum();
    let mut counts = vec![0u32; n_codes * width];
    let place =
        |code: u32, column: usize, bin: u32| code as usize * width + starts[column] + bin as usize;
    for (member, code) in members.iter().zip(&value) {
        for (column, bin) in member.bins.iter().enumerate() {
            counts[place(*code, column, *bin)] += 1;
        }
    }
    let mut seen: Vec<Vec<(u32, u32)>> = vec![Vec::new(); members.len()];
    let unseen = rounds.div_ceil(5);
    for round in 0..rounds + unseen {
        for group in of_group.iter().filter(|group| group.len() > 1) {
            for _ in 0..group.len() {
                let one = group[chance.below(group.len())] as usize;
                let two = group[chance.below(group.len())] as usize;
                let (a, b) = (value[one], value[two]);
                if a == b {
                    continue;
                }
                let mut ratio = 1.0;
                for column in 0..n_bins.len() {
                    let (x, y) = (members[one].bins[column], members[two].bins[column]);
                    if x == y {
                        continue;
                    }
                    // Counts without both, and one more for each bin: a uniform prior.
                    let count = |code, bin| f64::from(counts[place(code, column, bin)]);
                    ratio *=
                        (count(a, y) + 1.0) * (count(b, x) + 1.0) / (count(a, x) * count(b, y));
                }
                if ratio >= 1.0 || chance.share() < ratio {
                    for column in 0..n_bins.len() {
                        let (x, y) = (members[one].bins[column], members[two].bins[column]);
                        counts[place(a, column, x)] -= 1;
                        counts[place(b, column, y)] -= 1;
                        counts[place(a, column, y)] += 1;
                        counts[place(b, column, x)] += 1;
                    }
                    value.swap(one, two);
                }
            }
        }
        if round < unseen {
            continue;
        }
        for (seen, code) in seen.iter_mut().zip(&value) {
            match seen.iter_mut().find(|(known, _)| known == code) {
                Some((_, times)) => *times += 1,
                None => seen.push((*code, 1)),
            }
        }
    }
    let belief = |seen: Vec<(u32, u32)>| {
        let shares = seen.into_iter().map(|(code, n)| (code, f64::from(n) / rounds as f64));
        merged(shares.collect())
    };
    seen.into_iter().map(belief).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables 5.8 and 5.9 of the book: smokers (1) and others (0) in six groups, and which diseases
    /// each group has: cancer 0, flu 1, none 2.
    fn smokers() -> (Vec<Member>, Vec<Vec<u32>>) {
        let smokes = [[1, 1], [0, 0], [1, 0], [1, 1], [0, 0], [1, 0]];
        let diseases = [[0, 1], [1, 2], [0, 2], [0, 2], [1, 2], [0, 2]];
        let members = smokes.iter().zip(0..).flat_map(|(pair, group)| {
            pair.iter().map(move |bin| Member { group, bins: vec![*bin] })
        });
        (members.collect(), diseases.iter().map(|pair| pair.to_vec()).collect())
    }

    #[test]
    fn the_smoker_of_a_group_is_the_one_with_cancer() {
        let (members, values) = smokers();
        let beliefs = posterior(values, &members, &[2], 40_000, &mut Chance::new(1));
        let cancer = |member: usize| super::super::links::chance_of(&beliefs[member], 0);
        // Record 12 doesn't smoke: cancer has 5/32 there, where any order of values is equally
        // likely under random worlds. Five standard deviations of 40,000 draws are 0.01, more as
        // draws follow each other.
        assert!((cancer(11) - 5.0 / 32.0).abs() < 0.02, "{}", cancer(11));
        assert!((cancer(10) - 27.0 / 32.0).abs() < 0.02, "{}", cancer(10));
        assert_eq!(cancer(2), 0.0, "a group without cancer has none");
    }

    #[test]
    fn draws_go_to_what_all_assignments_give() {
        // Every assignment of the example, weighed by what a uniform prior over the shares of
        // smokers by disease gives: a!b!/(a+b+1)! for a smokers and b others.
        let (members, values) = smokers();
        let factorial = |n: u32| (1..=n).map(f64::from).product::<f64>();
        let (mut sum, mut with_cancer) = (0.0, vec![0.0; members.len()]);
        for world in 0u32..64 {
            let mut counts = [[0u32; 2]; 3];
            let mut of_member = Vec::new();
            for (group, pair) in values.iter().enumerate() {
                let is_swapped = world >> group & 1 == 1;
                let pair = if is_swapped { [pair[1], pair[0]] } else { [pair[0], pair[1]] };
                of_member.extend(pair);
            }
            for (member, code) in members.iter().zip(&of_member) {
                counts[*code as usize][member.bins[0] as usize] += 1;
            }
            let weight: f64 = counts
                .iter()
                .map(|[a, b]| factorial(*a) * factorial(*b) / factorial(a + b + 1))
                .product();
            sum += weight;
            for (at, code) in of_member.iter().enumerate() {
                with_cancer[at] += if *code == 0 { weight } else { 0.0 };
            }
        }
        assert!((with_cancer[11] / sum - 5.0 / 32.0).abs() < 1e-12, "the figure of the book");
        let beliefs = posterior(values, &members, &[2], 40_000, &mut Chance::new(2));
        for (at, weight) in with_cancer.iter().enumerate() {
            let drawn = super::super::links::chance_of(&beliefs[at], 0);
            assert!((drawn - weight / sum).abs() < 0.03, "{at}: {drawn} {}", weight / sum);
        }
    }
}
