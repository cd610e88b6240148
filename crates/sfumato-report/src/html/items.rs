//! Items of baskets: what there was of each and what is left.

use super::page::{Cell, Page};
use crate::baskets::Baskets;
use crate::escape::shorten;
use crate::numbers::{count, percent, quantity};

/// More items than this are only in the JSON.
const SHOWN: usize = 50;
/// Longer names are cut on the page; the JSON has them whole.
const CELL: usize = 60;

/// The section's content.
pub(super) fn items(page: &mut Page, baskets: &Baskets) {
    let share = |part: f64, all: f64| if all > 0.0 { percent(part / all) } else { "\u{2013}".into() };
    page.paragraph(&format!(
        "Of {} different items {} are published; of all items of all records {}, worth {} of what all were worth. {} records are published \
         without any item and count as suppressed; {} had none to begin with.",
        count(baskets.items),
        count(baskets.items_published),
        share(baskets.instances_published as f64, baskets.instances as f64),
        share(baskets.utility_published, baskets.utility),
        count(baskets.emptied),
        count(baskets.empty),
    ));
    let rows: Vec<Vec<Cell>> = baskets
        .by_item
        .iter()
        .take(SHOWN)
        .map(|item| {
            vec![
                Cell::Head(shorten(&item.name, CELL)),
                Cell::Text(item.role.clone()),
                Cell::Num(quantity(item.utility)),
                Cell::Num(count(item.instances)),
                Cell::Num(count(item.published)),
                Cell::Num(count(item.suppressed)),
                Cell::Num(share(item.published as f64, item.instances as f64)),
            ]
        })
        .collect();
    let headings = [
        ("Item", false),
        ("Role", false),
        ("Worth", true),
        ("Records with it", true),
        ("Published", true),
        ("Suppressed", true),
        ("Kept", true),
    ];
    page.table("Items that lost most", &headings, &rows);
    if baskets.by_item.len() > SHOWN {
        page.paragraph(&format!(
            "And {} more; the JSON has them all.",
            count((baskets.by_item.len() - SHOWN) as u64)
        ));
    }
}
