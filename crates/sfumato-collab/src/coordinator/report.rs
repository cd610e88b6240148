//! The report about a collaboration: what was promised, who sent how much, and who learnt what by
//! which step.

use serde::Serialize;

use crate::holder::{Part, StepNote};
use crate::ledger::Traffic;

/// What a holder did.
#[derive(Debug, Clone, Serialize)]
pub struct HolderReport {
    /// Its name.
    pub name: String,
    /// What it sent to other holders, by kind of message.
    pub sent: Traffic,
    /// What it remarks.
    pub remarks: Vec<String>,
}

/// The report.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// How many records were released.
    pub records: u64,
    /// The models, with whether they hold; found in the bytes of the release.
    pub guarantees: Vec<sfumato_report::Guarantee>,
    /// The specialisations, in their order.
    pub steps: Vec<StepNote>,
    /// How many messages holders sent to each other.
    pub messages: u64,
    /// How many bytes these had.
    pub bytes: u64,
    /// The holders.
    pub holders: Vec<HolderReport>,
}

impl Report {
    /// The report about some parts and the release made of them.
    pub fn of(parts: &[Part], release: &sfumato_report::Report) -> Self {
        let counts = || parts.iter().flat_map(|part| part.traffic.values());
        let holder = |part: &Part| HolderReport {
            name: part.holder.clone(),
            sent: part.traffic.clone(),
            remarks: part.remarks.clone(),
        };
        Report {
            records: release.output.as_ref().map_or(0, |output| output.rows),
            guarantees: release.guarantees.clone(),
            steps: parts.first().map(|part| part.steps.clone()).unwrap_or_default(),
            messages: counts().map(|count| count.messages).sum(),
            bytes: counts().map(|count| count.bytes).sum(),
            holders: parts.iter().map(holder).collect(),
        }
    }
}

impl Report {
    /// The report in words.
    pub fn words(&self) -> String {
        let mut words = format!("released   {} records\n", self.records);
        for guarantee in &self.guarantees {
            let holds = if guarantee.holds { "holds" } else { "DOESN'T HOLD" };
            words += &format!("{holds:<10} {}\n", guarantee.model);
        }
        words += &format!(
            "sent       {} messages, {} bytes between holders\n",
            self.messages, self.bytes
        );
        for holder in &self.holders {
            let of_kind = |(kind, count): (&String, &crate::ledger::Count)| {
                format!("{} {kind}", count.messages)
            };
            let sent: Vec<String> = holder.sent.iter().map(of_kind).collect();
            words += &format!("{:<10} sent {}\n", holder.name, sent.join(", "));
            for remark in &holder.remarks {
                words += &format!("           {remark}\n");
            }
        }
        words.trim_end().to_string()
    }
}
