//! `sfumato serve [FOLDER]`: the web UI and the HTTP API over one folder.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use sfumato_core::memory::parse_bytes;
use sfumato_core::{Error, Result};
use sfumato_web::{Certificate, Settings};

use super::{Context, print, set_threads};

#[derive(Args)]
pub struct Serve {
    /// The folder of the data. Nothing outside it is read or written.
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// The port; 0 takes a free one.
    #[arg(long, value_name = "N", default_value_t = 7979)]
    port: u16,
    /// Print the address to open, with its token, on standard output and nothing else.
    #[arg(long)]
    print_address: bool,
    /// Let others in: where to listen, such as 0.0.0.0:7979. Needs --certificate and --key, or
    /// --password-file, or all of them. Without a certificate what is sent isn't encrypted: put a
    /// server that has one in front.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "port")]
    listen: Option<SocketAddr>,
    /// Encrypt all connections (TLS 1.3): a file with the certificate, and behind it those that
    /// vouch for it, as PEM.
    #[arg(long, value_name = "FILE", requires = "key")]
    certificate: Option<PathBuf>,
    /// The private key of --certificate, as PEM.
    #[arg(long, value_name = "FILE", requires = "certificate")]
    key: Option<PathBuf>,
    /// A file whose first line is the password that others are asked for.
    #[arg(long, value_name = "FILE")]
    password_file: Option<String>,
    /// A name under which others ask for this machine, with --listen. May be given again.
    #[arg(long, value_name = "NAME", requires = "listen")]
    host: Vec<String>,
    /// The largest file that may be uploaded.
    #[arg(long, value_name = "SIZE", default_value = "4GiB")]
    max_upload: String,
    /// The memory of a run whose job says none, such as 2GiB. What doesn't fit waits on disk.
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// How many minutes a run may take.
    #[arg(long, value_name = "MINUTES", default_value_t = 240)]
    max_minutes: u64,
}

/// The shortest password.
const SHORTEST: usize = 10;

impl Serve {
    pub fn run(self, context: &Context) -> Result<u8> {
        set_threads(context, None)?;
        let own = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), self.port);
        if let Some(memory) = &self.memory {
            parse_bytes(memory)?;
        }
        let settings = Settings {
            folder: self.folder.clone(),
            address: self.listen.unwrap_or(own),
            password: self.password_file.as_deref().map(password).transpose()?,
            certificate: self.certificate()?,
            names: self.host.clone(),
            largest_upload: parse_bytes(&self.max_upload)?,
            memory: self.memory.clone(),
            longest_run: Duration::from_secs(self.max_minutes.max(1) * 60),
            threads: 4,
        };
        // A relative path that somebody forgets to resolve still starts from the folder.
        let folder = &settings.folder;
        let inside = folder.canonicalize().and_then(std::env::set_current_dir);
        inside.map_err(|error| Error::io(folder, "enter the folder", &error))?;
        let folder = std::env::current_dir();
        let folder = folder.map_err(|error| Error::io(Path::new("."), "find", &error))?;
        let settings = Settings { folder, ..settings };
        sfumato_web::serve(settings, |address| match self.print_address {
            // Nobody may be there to read it, which is no reason to stop.
            true => drop(print(&format!("{address}\n"))),
            false => context
                .say(&format!("open {address}\nThe address opens once. Ctrl-C ends the server.")),
        })?;
        Ok(0)
    }

    /// The files of a certificate. Their paths start from where the command is given.
    fn certificate(&self) -> Result<Option<Certificate>> {
        let absolute = |path: &PathBuf| {
            std::path::absolute(path).map_err(|error| Error::io(path, "find", &error))
        };
        let files = self.certificate.as_ref().zip(self.key.as_ref());
        files
            .map(|(chain, key)| Ok(Certificate { chain: absolute(chain)?, key: absolute(key)? }))
            .transpose()
    }
}

fn password(path: &str) -> Result<String> {
    let text = sfumato_io::read_text(path)?;
    let first = text.lines().next().unwrap_or_default().to_string();
    match first.chars().count() >= SHORTEST {
        true => Ok(first),
        false => {
            Err(Error::params(format!("the password has fewer than {SHORTEST} letters"))
                .in_file(path))
        }
    }
}
