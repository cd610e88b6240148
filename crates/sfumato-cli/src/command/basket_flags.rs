//! Flags of commands that take baskets: the layout of the file, and what the items are.

use clap::Args;
use sfumato::Job;
use sfumato_sets::job::BasketSpec;

use super::names;

#[derive(Args)]
pub struct BasketFlags {
    /// The data are baskets (sets of items), and this is the layout of their file: lines,
    /// 'lines(separator=comma)', 'long(id=A, item=B)', 'list(column=A)' or 'table(categories=[A,
    /// B], buckets=[C:5])'.
    #[arg(long, value_name = "FORM")]
    baskets: Option<String>,
    /// Items that an attacker wants to learn: published as they are.
    #[arg(long, value_name = "A,B", requires = "baskets")]
    sensitive_items: Vec<String>,
    /// Items that are left out.
    #[arg(long, value_name = "A,B", requires = "baskets")]
    drop_items: Vec<String>,
}

impl BasketFlags {
    /// The `[baskets]` section that the flags stand for, if the data are baskets.
    pub fn spec(&self) -> Option<BasketSpec> {
        Some(BasketSpec {
            form: self.baskets.clone()?,
            utilities: None,
            sensitive: names(&self.sensitive_items),
            drop: names(&self.drop_items),
        })
    }

    /// Put the flags that were given into a job that is audited or queried.
    pub fn add_to(&self, job: &mut Job) {
        let Some(spec) = self.spec() else { return };
        job.set("baskets", "form", spec.form);
        if !spec.sensitive.is_empty() {
            job.set("baskets", "sensitive", spec.sensitive);
        }
        if !spec.drop.is_empty() {
            job.set("baskets", "drop", spec.drop);
        }
    }
}
