//! Y. Xu, K. Wang, A. W.-C. Fu, P. S. Yu, 2008: coherence by leaving items out, as a survey tells
//! what it costs.

use crate::figure::{Figure, Paper, PaperInfo};

sfumato_core::registry! {
    /// What the survey says in words, and how it grows with what is known.
    dyn Figure:
    distortion::Distortion,
}

/// The paper.
pub struct Xu;

static INFO: PaperInfo = PaperInfo {
    name: "xu",
    citation: "Y. Xu, K. Wang, A. W.-C. Fu, P. S. Yu: *Anonymizing Transaction Databases for \
        Publication*, KDD 2008; as told in B. C. M. Fung, K. Wang, A. W.-C. Fu, P. S. Yu: \
        *Introduction to Privacy-Preserving Data Publishing*, section 13.2.",
    untested: &[],
    about: "\
The survey has no figure: it says in words what leaving items out costs, and names no data, no \
private items, no k, p or h. So all of that is fixed here, and the rule was fixed before the first \
run:

- **Data.** Dense: Mushroom (119 items, 23 in each record). Sparse: BMS-WebView-1 (497 items, 2.5 \
in a record).
- **Private items.** Every tenth item in the order of their numbers, beginning with the fifth, of \
those that at most three in ten records have; all other items are public.
- **Parameters.** k = 10; p = 1 to 4; h = 0.6, 0.8 and 1.
- **Distortion.** Instances of public items that are left out, as a share of all instances of \
public items.
- **The rule.** Dense: below 10 % for at least half of the twelve settings (\"usually\"). Sparse: \
from 10 to 22.5 % for at least half of them (\"about 15 %\": a factor of 1.5 either way). More: \
rising with p at three of four steps or more (Kendall's tau).

**The control** leaves out every item that is in any of the smallest failing combinations, without \
choosing. If it kept the rule, too, the rule would say nothing about the algorithm.",
};

impl Paper for Xu {
    fn info(&self) -> &'static PaperInfo {
        &INFO
    }
    fn figures(&self) -> &'static [&'static dyn Figure] {
        ALL
    }
}
