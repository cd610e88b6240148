//! The parameters of a run, adapted to the requirements.

use sfumato_core::registry::Params;

use super::grow::Order;
use super::leftover::Leftovers;

/// The parameters that say how splits are chosen.
#[derive(Debug, Clone, Copy)]
pub struct Settings {
    /// The order in which columns are tried.
    pub order: Order,
    /// What happens to children that can't be published.
    pub leftovers: Leftovers,
    /// Whether cuts far from the median are tried.
    pub quantiles: bool,
    /// Whether rows with the median may go to both sides.
    pub relaxed: bool,
    /// Whether leaves get the interval of their cells.
    pub tighten: bool,
}

impl Settings {
    /// Read the parameters. `merges`: classes that are published alike satisfy the requirements if
    /// each does. `counts_rows`: numbers of rows decide all requirements.
    pub fn new(params: &Params, merges: bool, counts_rows: bool) -> Self {
        Settings {
            order: if params.text("split") == Some("gain") { Order::Gain } else { Order::Widest },
            leftovers: match params.text("leftovers") {
                Some("none") => Leftovers::None,
                // Records that were lent may end in a class that is published like the one they
                // come from.
                Some("lend") if merges => Leftovers::Lend,
                _ => Leftovers::Keep,
            },
            quantiles: params.text("cuts") == Some("quantiles") && !counts_rows,
            relaxed: params.flag("relaxed"),
            tighten: params.flag("tighten"),
        }
    }
}
