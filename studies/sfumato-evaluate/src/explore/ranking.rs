//! Which algorithm loses less, in one sentence.

use sfumato_report::explore::Curve;
use sfumato_report::numbers::count;

/// Losses closer than this share of each other are the same.
const SAME: f64 = 1e-9;

/// How the curves rank; `None` of a single curve, or where no two can be compared.
pub fn ranking(curves: &[Curve], higher_is_better: bool) -> Option<String> {
    if curves.len() < 2 {
        return None;
    }
    // One line for each k: which curves have a value there, best first.
    let mut orders: Vec<(u64, Vec<(usize, f64)>)> = Vec::new();
    for (place, cell) in curves[0].cells.iter().enumerate() {
        let badness = |curve: &Curve| {
            let loss = curve.cells.get(place)?.figures.as_ref()?.loss?;
            Some(if higher_is_better { -loss } else { loss })
        };
        let mut order: Vec<(usize, f64)> = curves
            .iter()
            .enumerate()
            .filter_map(|(index, curve)| Some((index, badness(curve)?)))
            .collect();
        order.sort_by(|a, b| a.1.total_cmp(&b.1));
        orders.push((cell.k, order));
    }
    let n_all = orders.len();
    orders.retain(|(_, order)| order.len() > 1);
    let names = |order: &[(usize, f64)]| -> Vec<&str> {
        order.iter().map(|(index, _)| curves[*index].algorithm.as_str()).collect()
    };
    let is_strict =
        |order: &[(usize, f64)]| order.windows(2).all(|pair| !same(pair[0].1, pair[1].1));
    let (_, first) = orders.first()?;
    let full: Vec<&(u64, Vec<(usize, f64)>)> =
        orders.iter().filter(|(_, order)| order.len() == curves.len()).collect();
    let every = match (full.len() == n_all, curves.len()) {
        (true, _) => "at every k",
        (false, 2) => "at every k that both reach",
        (false, _) => "at every k that all reach",
    };
    if full.len() == orders.len() && first.len() == curves.len() {
        if orders.iter().all(|(_, order)| is_strict(order) && names(order) == names(first)) {
            let sorted = names(first);
            return Some(match sorted.as_slice() {
                [better, worse] => format!("{better} loses less than {worse} {every}"),
                sorted => format!(
                    "{every} {} loses least, then {}",
                    sorted[0],
                    sorted[1..].join(", then ")
                ),
            });
        }
        let all_same =
            |order: &[(usize, f64)]| order.windows(2).all(|pair| same(pair[0].1, pair[1].1));
        if orders.iter().all(|(_, order)| all_same(order)) {
            let all: Vec<&str> = curves.iter().map(|curve| curve.algorithm.as_str()).collect();
            return Some(format!("{} lose the same {every}", all.join(" and ")));
        }
    }
    Some(winners(&orders, curves))
}

/// Which algorithm loses least at which k.
fn winners(orders: &[(u64, Vec<(usize, f64)>)], curves: &[Curve]) -> String {
    let mut groups: Vec<(Vec<usize>, Vec<String>)> = Vec::new();
    for (k, order) in orders {
        let mut best: Vec<usize> = order
            .iter()
            .take_while(|(_, loss)| same(*loss, order[0].1))
            .map(|(index, _)| *index)
            .collect();
        best.sort_unstable();
        match groups.iter_mut().find(|(known, _)| *known == best) {
            Some((_, ks)) => ks.push(count(*k)),
            None => groups.push((best, vec![count(*k)])),
        }
    }
    let part = |(best, ks): &(Vec<usize>, Vec<String>)| {
        let names: Vec<&str> = best.iter().map(|index| curves[*index].algorithm.as_str()).collect();
        let verb = if names.len() == 1 { "loses least" } else { "lose the same, and least," };
        format!("{} {verb} at k = {}", names.join(" and "), ks.join(", "))
    };
    groups.iter().map(part).collect::<Vec<_>>().join("; ")
}

fn same(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_report::explore::{Cell, Figures};

    fn curve(name: &str, losses: &[f64]) -> Curve {
        let cell = |(place, loss): (usize, &f64)| Cell {
            k: 10 * (place as u64 + 1),
            figures: (!loss.is_nan()).then(|| Figures { loss: Some(*loss), ..Figures::default() }),
            infeasible: loss.is_nan().then(|| "no".into()),
        };
        Curve {
            algorithm: name.into(),
            cells: losses.iter().enumerate().map(cell).collect(),
            knee: None,
        }
    }

    fn say(curves: &[(&str, &[f64])], higher: bool) -> Option<String> {
        ranking(
            &curves.iter().map(|(name, losses)| curve(name, losses)).collect::<Vec<_>>(),
            higher,
        )
    }

    #[test]
    fn one_order_is_said_once() {
        assert_eq!(say(&[("a", &[0.1, 0.2])], false), None);
        let two: [(&str, &[f64]); 2] = [("a", &[0.1, 0.2]), ("b", &[0.05, 0.1])];
        assert_eq!(say(&two, false).unwrap(), "b loses less than a at every k");
        assert_eq!(say(&two, true).unwrap(), "a loses less than b at every k");
        let three: [(&str, &[f64]); 3] =
            [("a", &[0.1, 0.2]), ("b", &[0.05, 0.1]), ("c", &[0.3, 0.3])];
        assert_eq!(say(&three, false).unwrap(), "at every k b loses least, then a, then c");
        assert_eq!(
            say(&[("a", &[0.1]), ("b", &[0.1])], false).unwrap(),
            "a and b lose the same at every k"
        );
    }

    #[test]
    fn orders_that_change_are_told_by_k() {
        let crossing: [(&str, &[f64]); 2] =
            [("a", &[0.1, 0.2, 0.3, 0.4]), ("b", &[0.2, 0.1, 0.3, 0.3])];
        let expected = "a loses least at k = 10; b loses least at k = 20, 40; a and b lose the \
            same, and least, at k = 30";
        assert_eq!(say(&crossing, false).unwrap(), expected);
    }

    #[test]
    fn what_cannot_be_reached_is_not_ranked() {
        let nan = f64::NAN;
        let short: [(&str, &[f64]); 2] = [("a", &[0.1, 0.2]), ("b", &[0.2, nan])];
        assert_eq!(say(&short, false).unwrap(), "a loses less than b at every k that both reach");
        assert_eq!(say(&[("a", &[0.1, nan]), ("b", &[nan, 0.1])], false), None);
    }
}
