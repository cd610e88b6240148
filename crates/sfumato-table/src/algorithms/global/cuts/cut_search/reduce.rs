//! Finds the splits that can still be made in addition to those of a state.

use sfumato_core::Result;

use super::budget::Budget;
use super::items::{Item, Items};
use super::records::Records;
use super::state::State;

/// Remove every split from `finest` that can't be added to those of a state, because the result
/// can't be published or `leads_nowhere` says so. Returns the splits that can be made next, each
/// with the number of classes that it would make. The list is incomplete if the budget is spent.
pub fn reduce(
    records: &Records<'_>,
    head: &State,
    finest: &mut Items,
    budget: &mut Budget<'_>,
    leads_nowhere: impl Fn(&State) -> bool,
) -> Result<Vec<(usize, Item)>> {
    let choices = &records.choices;
    let mut next = Vec::new();
    let mut open: Vec<(Item, Option<std::rc::Rc<State>>)> =
        choices.available(&head.on, finest).into_iter().map(|item| (item, None)).collect();
    while let Some((item, above)) = open.pop() {
        if budget.is_spent() {
            break;
        }
        let state = above.as_deref().unwrap_or(head).with(records, item);
        budget.spend(state.touched)?;
        if state.is_hopeless(records) || leads_nowhere(&state) {
            choices.remove(finest, item);
            continue;
        }
        if above.is_none() {
            next.push((state.n_classes(), item));
        }
        let needing: Vec<Item> = choices
            .needing(item)
            .filter(|&other| finest.contains(other) && !head.on.contains(other))
            .collect();
        if !needing.is_empty() {
            let state = std::rc::Rc::new(state);
            open.extend(needing.into_iter().map(|other| (other, Some(std::rc::Rc::clone(&state)))));
        }
    }
    Ok(next)
}
