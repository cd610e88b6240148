//! MDAV, improved by exchange: groups are dissolved, and records moved and exchanged, as long as
//! that brings records nearer to the means of their groups.

use sfumato_core::Result;
use sfumato_core::dataset::Column;
use sfumato_core::facts::Fact;
use sfumato_core::registry::{Capabilities, Info, ParamKind, ParamSpec, Params};

use super::aggregate::{self, DIGITS, K, size_of};
use super::exchange::Groups;
use super::mdav;
use super::points::Points;
use crate::algorithms::perturbed::{Draws, Perturbing, PerturbingAlgorithm};

/// The algorithm `mdav-exchange`, an entry of the registry.
pub struct MdavExchange;

static INFO: Info = Info {
    name: "mdav-exchange",
    summary: "MDAV, and then groups dissolved and records exchanged while that loses less",
    papers: &[mdav::PAPER],
    params: &[
        K,
        DIGITS,
        ParamSpec::with_default(
            "passes",
            ParamKind::Integer { min: 1, max: 1000 },
            "30",
            "how often all records are looked at, at most",
        ),
    ],
    doc: "It begins with the groups of `mdav`. Then a record moves to another group, two records \
          of near groups are exchanged, or a group is dissolved among its neighbours or divided, \
          whenever that makes the sum of squared distances smaller and leaves each group k to \
          2k - 1 records. It ends when nothing helps or after `passes`. It never loses more than \
          `mdav`. What it promises and how it is checked is that of `mdav`. The variant is our \
          own: the literature has many such improvements.",
    capabilities: Capabilities {
        serves: &[Fact::Classes],
        ignores: &["max_suppression", "metric"],
        ..Capabilities::DEFAULT
    },
    ..Info::DEFAULT
};

impl PerturbingAlgorithm for MdavExchange {
    fn info(&self) -> &'static Info {
        &INFO
    }
    fn perturb(
        &self,
        params: &Params,
        task: &Perturbing<'_>,
        _: &mut Draws,
    ) -> Result<Vec<Column>> {
        let k = size_of(params, task)?;
        let points = Points::of(&task.columns);
        let mut groups = Groups::new(&points, mdav::groups(&points, k), k);
        groups.improve(params.count("passes") as usize);
        Ok(aggregate::publish(params, &task.columns, &groups.into_groups()))
    }
    fn fault(&self, params: &Params, task: &Perturbing<'_>, after: &[&Column]) -> Option<String> {
        aggregate::fault(params, task, (&task.columns, after))
    }
}
