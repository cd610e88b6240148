//! Questions about baskets that releases of them are asked to compare them: how many records have
//! an item, or two of them. The same data give the same questions.

use sfumato_core::Result;
use sfumato_core::observer::Observer;
use sfumato_engine::compare::Question;

use super::read::{input_of, load};
use crate::forms::buckets::{ItemCondition, ItemQuery};
use crate::job::Job;

/// How many items are asked for: from the most frequent down, in steps that double.
const ITEMS: usize = 24;

/// Questions about the items of the original.
pub fn questions(original: &Job, observer: &dyn Observer) -> Result<Vec<Question>> {
    let loaded = load(&input_of(original), &original.baskets, None, false, observer)?;
    let names = &loaded.baskets.items.names;
    let mut counts = loaded.baskets.quasi.counts();
    if let Some(sensitive) = &loaded.baskets.sensitive {
        counts.iter_mut().zip(sensitive.counts()).for_each(|(all, more)| *all += more);
    }
    let mut order: Vec<usize> = (0..names.len()).filter(|item| counts[*item] > 0).collect();
    order.sort_by_key(|item| (std::cmp::Reverse(counts[*item]), *item));
    // A quote would end the item in the language of queries.
    order.retain(|item| !names[*item].contains(['"', '\'']));
    // Frequent items one by one, and then ever rarer ones.
    let half = ITEMS / 2;
    let places = (0..half).chain((0..half).map(|n| half + ((1 << n) - 1)));
    let asked: Vec<&String> =
        places.filter_map(|place| order.get(place)).map(|item| &names[*item]).collect();
    let question = |about: String, items: &[&String]| {
        let condition = |item: &&String| ItemCondition { item: item.to_string(), present: true };
        let query = ItemQuery { conditions: items.iter().map(condition).collect() };
        Question { about, query: query.to_string() }
    };
    let single = asked.iter().map(|item| question(item.to_string(), &[*item]));
    let pairs = asked.windows(2).map(|pair| question("two items at once".into(), pair));
    Ok(single.chain(pairs).collect())
}
