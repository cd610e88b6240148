//! What a file that was read to be audited states.

use sfumato_core::Result;
use sfumato_core::chain::Chain;
use sfumato_core::facts::{ClassFacts, Facts, Least};
use sfumato_core::group::{Guarantee, evaluate_with};
use sfumato_core::population::Presence;
use sfumato_core::traits::Requirements;
use sfumato_engine::threads::at_once;

use super::{Opened, failing, matches};
use crate::data::owners::OwnersAlike;

impl Facts for Opened {
    fn release(&self) -> &'static str {
        "a table of generalized cells"
    }
    fn classes(&self) -> Option<&dyn ClassFacts> {
        Some(self)
    }
    fn earlier(&self) -> Option<&Chain> {
        match self {
            Opened::Held(held) => held.chain.as_ref(),
            Opened::Passed(_) => None,
        }
    }
    fn presence(&self) -> Option<&Presence> {
        match self {
            Opened::Held(held) => held.presence.as_ref(),
            Opened::Passed(_) => None,
        }
    }
    fn owners(&self, required: u64) -> Option<Least> {
        let Opened::Held(held) = self else { return None };
        let owners = held.table.subject.as_ref()?;
        Some(OwnersAlike::new(&held.class_of_row, owners).least(required))
    }
}

impl ClassFacts for Opened {
    fn evaluate(&self, requirements: &Requirements) -> Result<Vec<Guarantee>> {
        match self {
            Opened::Passed(passed) => Ok(passed.found.clone()),
            Opened::Held(held) => {
                let mut found = evaluate_with(requirements, &held.classes, &at_once);
                let (request, texts) = (&held.request, &held.texts);
                let is_linked = matches::look(request, requirements, texts, &mut found)?;
                held.is_linked.set(is_linked);
                if found.iter().any(|found| !found.holds) && !is_linked {
                    *held.failing.borrow_mut() =
                        failing::failing(requirements, &held.classes, &held.labels);
                }
                Ok(found)
            }
        }
    }
}
