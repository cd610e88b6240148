//! Holders of other columns of the same people: PPMashup (Mohammed, Fung, Debbabi 2011; Fung, Wang,
//! Fu, Yu, chapter 11). Every holder keeps the partition of the common records by the values that
//! are published so far, scores what it could specialise in its own columns, and divides the
//! records as the winner of each round says.

mod candidates;
mod classes;
mod deliver;
mod double_encryption;
mod joint;
mod judge;
mod partition;
mod rounds;

pub use joint::Joint;
pub use partition::Partition;

use sfumato_core::Result;

use deliver::{Decided, deliver};
use double_encryption::fit;
use rounds::Rounds;

use crate::holder::{Holding, Part};
use crate::job::{Agreement, Join, Method};
use crate::ledger::{Keep, Logged};
use crate::protocol::Wire;
use crate::protocol::frame::SessionId;
use crate::secure::{Secrets, align};

/// Take part, and give one's own part of the release. Nothing but the wire touches the world.
pub fn take_part(
    wire: &mut dyn Wire,
    log: &mut dyn Keep,
    session: &SessionId,
    agreement: &Agreement,
    holding: &Holding,
    secrets: &Secrets,
) -> Result<Part> {
    let mut wire = Logged::new(wire, log);
    let c = &agreement.collaboration;
    let joint = Joint::agree(&mut wire, agreement, holding)?;
    let ids = holding.texts(c.id.as_deref().unwrap_or_default())?;
    let aligned = align(&mut wire, session, &ids, c.join == Join::Many, secrets)?;
    let raw = holding.gather(&aligned.rows);
    let n = aligned.rows.len();
    let classes = classes::share(&mut wire, &joint, holding, &raw, n)?;
    let table = holding.encode(&raw, n, |name, role| joint.is_own(name, role))?;
    let decided = match c.method {
        Method::Ppmashup | Method::TopDownSpecialization => {
            let mut rounds = Rounds::new(&wire, agreement, &joint, &table, &classes)?;
            rounds.run(&mut wire, secrets)?;
            Decided::by_rounds(&rounds, &joint, wire.seat())
        }
        Method::DoubleEncryption => {
            let data = (&table, &classes);
            let alone = fit(&mut wire, session, agreement, &joint, data, secrets)?;
            Decided::alone(&alone, table.quasi().len())
        }
    };
    let mut part = deliver(&mut wire, &joint, decided, (holding, &raw), secrets)?;
    part.remarks.push(format!("{n} of {} own records are known to all holders", ids.len()));
    if aligned.is_join {
        part.remarks.push(
            "identifiers name several rows: k counts combinations of rows, not people".into(),
        );
    }
    part.traffic = wire.traffic;
    Ok(part)
}
