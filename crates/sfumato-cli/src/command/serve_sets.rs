//! `sfumato serve-sets DATA`: for a key, a random set of items that at least k records contain.

use std::net::SocketAddr;

use clap::Args;
use sfumato_core::{Error, Result};
use sfumato_report::numbers::{count, percent};
use sfumato_sets::serve::{Secret, ServeRequest, SetServer};

use super::flags::{self, Flags};
use super::{Context, set_threads};

#[derive(Args)]
pub struct ServeSets {
    /// The data: baskets with a key for each record, such as 'lines(key=true)'. Without keys,
    /// records are asked for by their number, from 1.
    #[arg(value_name = "DATA")]
    input: String,
    /// How many records must contain whatever is answered.
    #[arg(short, value_name = "K")]
    k: u64,
    /// The algorithm that finds the set of each record.
    #[arg(long, value_name = "NAME", default_value = "k1-top-down")]
    algorithm: String,
    /// The probability that an item of a record's set is in an answer.
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    keep: f64,
    /// A file with the secret by which sets are chosen; it is made if it doesn't exist. Without it
    /// every start has another secret, and answers of two starts together may tell more than
    /// either.
    #[arg(long, value_name = "FILE")]
    secret: Option<String>,
    /// Where to listen: this machine only. Port 0 takes a free one.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:7878")]
    listen: String,
    #[command(flatten)]
    flags: Flags<flags::Serve>,
}

impl ServeSets {
    pub fn run(self, context: &Context) -> Result<u8> {
        let address: SocketAddr = self.listen.parse().map_err(|_| {
            Error::params(format!(
                "--listen is an address and a port such as 127.0.0.1:7878, not '{}'",
                self.listen
            ))
        })?;
        set_threads(context, None)?;
        let job: sfumato_sets::Job = self.flags.job(&self.input, &[])?.without_output()?;
        let request = ServeRequest {
            input: job.input,
            baskets: job.baskets,
            k: self.k,
            algorithm: self.algorithm.clone(),
            keep: self.keep,
        };
        let secret = match &self.secret {
            Some(path) => Secret::in_file(path)?,
            None => {
                context.say(
                    "warning: without --secret every start chooses anew, and answers of \
                    two starts together may tell more than either",
                );
                Secret::new()?
            }
        };
        let server = SetServer::open(&request, &secret, &context.progress)?;
        let (records, kept) = (server.len(), percent(server.utility_retained));
        let threads = context
            .threads
            .unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        sfumato_web::serve_sets(server, address, threads, |address| {
            context.say(&format!(
                "{} records, {kept} of their utility in sets; ask http://{address}/sets/KEY",
                count(records as u64)
            ));
        })?;
        Ok(0)
    }
}
