//! Flags of bucket releases: quasi values as they are, sensitive values as those of a group.

use clap::Args;
use sfumato_engine::job::BucketForm;

#[derive(Args)]
pub struct BucketFlags {
    /// Publish classes as buckets: quasi values as they are, sensitive values as those of a group;
    /// OUT is a folder of two tables (linked) or one table with values permuted within groups
    /// (permuted).
    #[arg(long, value_name = "FORM")]
    buckets: Option<FormArg>,
    /// The column that says the group of a record, where 'group' is taken.
    #[arg(long, value_name = "NAME")]
    group_column: Option<String>,
    /// The format of linked tables: csv, parquet, arrow or jsonl [default: the format of the input]
    #[arg(long, value_name = "FORMAT")]
    table_format: Option<String>,
}

/// The forms of bucket releases on the command line.
#[derive(Clone, Copy, clap::ValueEnum)]
enum FormArg {
    /// A folder: a table of quasi values and one that counts sensitive values, by group.
    Linked,
    /// One table, its sensitive values permuted within groups.
    Permuted,
}

impl BucketFlags {
    /// The form of a bucket release, if one was asked for.
    pub fn form(&self) -> Option<BucketForm> {
        self.buckets.map(|form| match form {
            FormArg::Linked => BucketForm::Linked,
            FormArg::Permuted => BucketForm::Permuted,
        })
    }
    /// The column that says the group of a record.
    pub fn group(&self) -> Option<String> {
        self.group_column.clone()
    }
    /// The format of linked tables.
    pub fn format(&self) -> Option<String> {
        self.table_format.clone()
    }
}
