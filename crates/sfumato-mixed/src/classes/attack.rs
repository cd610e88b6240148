//! Attacks on mixed records: those on tables, played on columns, and those on columns and items
//! together.

use sfumato_core::Result;
use sfumato_core::registry::{Info, Params};
use sfumato_engine::attack::{AttackRequest, Chance, Outcome, Stage, Staged};
use sfumato_engine::audit::AuditRequest;
use sfumato_engine::context::Context;
use sfumato_engine::form::Form;
use sfumato_engine::paths::resolve;
use sfumato_io::Loan;
use sfumato_table::attacks::TableStage;
use sfumato_table::kind::Tables;
use sfumato_table::sealed::lend;

use super::audit::{lent_table, raw_of, said};
use super::judged::GENERALIZED;
use crate::attacks::{ALL, MixedStage};
use crate::data::read;
use crate::job::Job;

/// The attacks that are played on mixed records.
pub fn attacks() -> Vec<&'static Info> {
    let own = ALL.iter().map(|attack| attack.info());
    own.chain(Form::<Tables<'static>>::attacks(&GENERALIZED)).collect()
}

/// A stage for both. The tables are lent as long as it lasts.
struct Both {
    columns: Box<dyn Stage>,
    both: Staged<MixedStage>,
    _lent: Vec<Loan>,
}

impl Both {
    fn is_own(&self, attack: &str) -> bool {
        ALL.iter().any(|own| own.info().name == attack)
    }
}

impl Stage for Both {
    fn lacks(&self, attack: &str, params: &Params) -> Result<Option<String>> {
        match self.is_own(attack) {
            true => self.both.lacks(attack, params),
            false => self.columns.lacks(attack, params),
        }
    }
    fn play(&self, attack: &str, params: &Params, chance: &mut Chance) -> Result<Outcome> {
        match self.is_own(attack) {
            true => self.both.play(attack, params, chance),
            false => self.columns.play(attack, params, chance),
        }
    }
}

/// Open a release beside its original.
pub fn stage(request: &AttackRequest<Job>, context: &Context<'_>) -> Result<Box<dyn Stage>> {
    let manifest = request.release.manifest.as_ref();
    let job = said(request.release.job.clone(), manifest)?;
    let mut original = said(request.original()?.clone(), manifest)?;
    // How the original's items lie in their cell is its own matter, and what labels mean is said
    // of either.
    original.mixed = request.original()?.mixed.clone();
    let hierarchy = job.baskets.hierarchy.clone();
    original.baskets.hierarchy = original.baskets.hierarchy.or(hierarchy);
    let people = read(&original, &resolve(&original.base, &original.input.path), context.observer)?;
    let (raw, _) = raw_of(&job, context)?;
    let rows = people.units.split(&raw.names, &raw.sets).map_err(|error| {
        error.hint("labels of a hierarchy mean something only with it: say --item-hierarchy FILE")
    })?;
    let columns: Vec<_> = raw.table.columns.iter().collect();
    let loan = lend(&columns, raw.table.n_rows)?;
    let (lent, of_original) = lent_table(&original, context)?;
    let mut of_release = job.of_table(loan.name(), Vec::new());
    of_release.columns.0.retain(|(name, _)| raw.table.column(name).is_some());
    let asked = AttackRequest {
        release: AuditRequest {
            job: of_release,
            original: Some(of_original),
            manifest: None,
            memory: None,
            spill: None,
        },
        population: None,
        control: None,
        other: None,
    };
    let table = Form::<Tables<'static>>::stage(&GENERALIZED, &asked, context)?;
    let columns = TableStage::open("generalized", &asked, context.observer)?;
    let stage = MixedStage { columns, people, rows };
    let both = Staged { stage, attacks: ALL };
    Ok(Box::new(Both { columns: table, both, _lent: vec![loan, lent] }))
}
