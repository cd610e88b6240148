//! Finds the records that contain the sets of other classes.
//!
//! Records are looked at in blocks, as bits: the records of a block that contain a set are those
//! that have its first item and its second and so on. Classes come in the order of their utility,
//! so the first that a record could join is its best.

use rayon::prelude::*;
use sfumato_core::column::Code;

use super::state::State;

/// The share of the utility of a record's own class below which another class isn't considered: few
/// steps gain by it, and the search takes time.
const NEAR: f64 = 0.5;

/// The share of the utility of a record's own class below which another class doesn't get the
/// record as a guest.
const VERY_NEAR: f64 = 0.9;

/// The number of words in a block.
const WORDS: usize = 16;
/// The number of records in a block.
const BLOCK: usize = 64 * WORDS;

/// A bit for each record of a block.
type Bits = [u64; WORDS];

/// Another class whose set a record contains, and the utility of that set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elsewhere {
    /// The class.
    pub class: u32,
    /// The utility of its set.
    pub worth: f64,
}

/// The results of the search for all records and classes.
pub struct BetterClasses {
    /// For each record, the class of highest utility among the others whose sets it contains; of
    /// equal ones the lowest number.
    pub elsewhere: Vec<Option<Elsewhere>>,
    /// The guests of all classes, one class after the other.
    guests: Vec<u32>,
    /// Where the guests of each class begin.
    begins: Vec<usize>,
}

impl BetterClasses {
    /// Records that contain the set of a class and that their own class can spare, ascending. A
    /// step of the class may make it better for them to join.
    pub fn guests(&self, class: usize) -> &[u32] {
        &self.guests[self.begins[class]..self.begins[class + 1]]
    }
}

/// Search for all records. `frequency` says how many records have each item.
pub fn search<C: Code>(state: &State<'_, C>, frequency: &[u64]) -> BetterClasses {
    let sets = Sets::new(state, frequency);
    let mut elsewhere = vec![None; state.rows.len()];
    let guests: Vec<Vec<(u32, u32)>> = elsewhere
        .par_chunks_mut(BLOCK)
        .enumerate()
        .map_init(
            || vec![[0; WORDS]; sets.n_numbers],
            |having, (number, elsewhere)| {
                search_block(state, &sets, number * BLOCK, having, elsewhere)
            },
        )
        .collect();
    let n = state.classes.len();
    let mut begins = vec![0; n + 1];
    guests.iter().flatten().for_each(|(class, _)| begins[*class as usize + 1] += 1);
    (0..n).for_each(|class| begins[class + 1] += begins[class]);
    let (mut next, mut of_classes) = (begins.clone(), vec![0; begins[n]]);
    for (class, record) in guests.iter().flatten() {
        of_classes[next[*class as usize]] = *record;
        next[*class as usize] += 1;
    }
    BetterClasses { elsewhere, guests: of_classes, begins }
}

/// The number of an item that is in no set.
const NONE: u32 = u32::MAX;

/// The sets of all classes, those of highest utility first. Their items are numbered, beginning
/// with those that fewest records have.
struct Sets {
    /// For each class, its number, its utility and where its items end.
    classes: Vec<(u32, f64, usize)>,
    /// The items of each set, by number. With rare items first, soon no record is left.
    items: Vec<u32>,
    /// The number of each item.
    numbers: Vec<u32>,
    n_numbers: usize,
}

impl Sets {
    fn new<C: Code>(state: &State<'_, C>, frequency: &[u64]) -> Self {
        let mut order: Vec<(u32, f64)> =
            (0..).zip(state.classes.iter().map(|class| class.worth)).collect();
        order.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut published = vec![false; frequency.len()];
        state
            .classes
            .iter()
            .flat_map(|class| &class.set)
            .for_each(|item| published[*item as usize] = true);
        let mut by_frequency: Vec<u32> =
            (0..frequency.len() as u32).filter(|item| published[*item as usize]).collect();
        by_frequency.sort_unstable_by_key(|item| (frequency[*item as usize], *item));
        let mut numbers = vec![NONE; frequency.len()];
        (0..).zip(&by_frequency).for_each(|(number, item)| numbers[*item as usize] = number);
        let mut sets = Sets {
            classes: Vec::with_capacity(order.len()),
            items: Vec::new(),
            numbers,
            n_numbers: by_frequency.len(),
        };
        for (class, worth) in order {
            let begin = sets.items.len();
            let set = &state.classes[class as usize].set;
            sets.items.extend(set.iter().map(|item| sets.numbers[*item as usize]));
            sets.items[begin..].sort_unstable();
            sets.classes.push((class, worth, sets.items.len()));
        }
        sets
    }
}

/// Search for the records of the block that begins with record `first`. Returns classes with
/// guests.
fn search_block<C: Code>(
    state: &State<'_, C>,
    sets: &Sets,
    first: usize,
    having: &mut [Bits],
    elsewhere: &mut [Option<Elsewhere>],
) -> Vec<(u32, u32)> {
    let mut guests = Vec::new();
    let mut searching = [0; WORDS];
    let mut least = f64::INFINITY;
    having.fill([0; WORDS]);
    for record in 0..elsewhere.len() {
        let (word, bit) = (record / 64, 1u64 << (record % 64));
        searching[word] |= bit;
        for code in state.rows.get(first + record) {
            if let Some(having) = having.get_mut(sets.numbers[code.widen() as usize] as usize) {
                having[word] |= bit;
            }
        }
        least = least.min(NEAR * state.own((first + record) as u32).worth);
    }
    let mut begin = 0;
    for (class, worth, end) in &sets.classes {
        if *worth <= least {
            break;
        }
        let mut containing = contain(&sets.items[begin..*end], having, searching);
        begin = *end;
        for word in 0..WORDS {
            while containing[word] != 0 {
                let bit = containing[word].trailing_zeros();
                containing[word] &= containing[word] - 1;
                let place = word * 64 + bit as usize;
                let record = (first + place) as u32;
                if state.of_record[record as usize] == *class {
                    continue;
                }
                let own = state.own(record);
                if elsewhere[place].is_none() && *worth > NEAR * own.worth {
                    elsewhere[place] = Some(Elsewhere { class: *class, worth: *worth });
                }
                if *worth > VERY_NEAR * own.worth && own.size >= state.task.k + state.weight(record)
                {
                    guests.push((*class, record));
                } else {
                    // All that comes is worth less.
                    searching[word] &= !(1 << bit);
                }
            }
        }
    }
    guests
}

/// The records among some of a block that contain a set.
fn contain(set: &[u32], having: &[Bits], mut records: Bits) -> Bits {
    for item in set {
        let mut any = 0;
        for (word, having) in records.iter_mut().zip(&having[*item as usize]) {
            *word &= having;
            any |= *word;
        }
        if any == 0 {
            break;
        }
    }
    records
}
