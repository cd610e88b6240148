//! Who a party is: a key and a certificate in its folder, and the certificates of those whom it
//! knows, each under the name by which it knows them. A certificate that isn't there, byte for
//! byte, is nobody's.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, RootCertStore, ServerConfig};
use sfumato_core::{Error, Result};

/// The name that all certificates are made out to: who somebody is follows from the certificate
/// itself.
pub const HOST: &str = "sfumato-holder";

/// The files of an identity.
pub const KEY: &str = "key.pem";
/// The certificate, to be given to the others.
pub const CERTIFICATE: &str = "certificate.pem";
/// The folder with the certificates of the others.
pub const PEERS: &str = "peers";

/// An identity.
#[derive(Clone)]
pub struct Identity {
    /// How to be called.
    pub server: Arc<ServerConfig>,
    /// How to call.
    pub client: Arc<ClientConfig>,
    peers: Vec<(String, CertificateDer<'static>)>,
}

/// Make a key and a certificate in a folder. What is there already is never replaced.
pub fn make(folder: &Path) -> Result<()> {
    let made = rcgen::generate_simple_self_signed(vec![HOST.to_string()])
        .map_err(|error| Error::internal(format!("no certificate can be made: {error}")))?;
    create(folder)?;
    create(&folder.join(PEERS))?;
    write_new(&folder.join(KEY), &made.signing_key.serialize_pem(), true)?;
    write_new(&folder.join(CERTIFICATE), &made.cert.pem(), false)
}

/// Make a folder that only its owner can enter.
pub fn create(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).map_err(|error| Error::io(folder, "make the folder", &error))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))
            .map_err(|error| Error::io(folder, "guard the folder", &error))?;
    }
    Ok(())
}

/// Write a file that isn't there yet.
pub fn write_new(path: &Path, text: &str, private: bool) -> Result<()> {
    let mut options = fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(if private { 0o600 } else { 0o644 });
    }
    let write = || {
        let mut file = options.open(path)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()
    };
    write().map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Error::params("there is already such a file")
            .in_file(path.display().to_string())
            .hint("take another folder; a key that others know is never replaced"),
        _ => Error::io(path, "write", &error),
    })
}

impl Identity {
    /// Read the identity of a folder.
    pub fn read(folder: &Path) -> Result<Self> {
        let wrong = |path: &Path, error: &dyn std::fmt::Display| {
            Error::params(format!("this can't be read as a key or certificate: {error}"))
                .in_file(path.display().to_string())
                .hint("'sfumato collaborate init' makes a folder with both")
        };
        let (key_path, own_path) = (folder.join(KEY), folder.join(CERTIFICATE));
        let own =
            CertificateDer::from_pem_file(&own_path).map_err(|error| wrong(&own_path, &error))?;
        let key =
            || PrivateKeyDer::from_pem_file(&key_path).map_err(|error| wrong(&key_path, &error));
        let peers_folder = folder.join(PEERS);
        let mut peers = Vec::new();
        let listed = fs::read_dir(&peers_folder)
            .map_err(|error| Error::io(&peers_folder, "list the folder", &error))?;
        for entry in listed {
            let path =
                entry.map_err(|error| Error::io(&peers_folder, "list the folder", &error))?.path();
            let name = path.file_stem().map(|name| name.to_string_lossy().to_string());
            if path.extension().is_some_and(|ending| ending == "pem")
                && let Some(name) = name
            {
                let certificate =
                    CertificateDer::from_pem_file(&path).map_err(|error| wrong(&path, &error))?;
                peers.push((name, certificate));
            }
        }
        peers.sort_by(|(a, _), (b, _)| a.cmp(b));
        let mut roots = RootCertStore::empty();
        for (_, certificate) in &peers {
            roots.add(certificate.clone()).map_err(|error| wrong(&peers_folder, &error))?;
        }
        if peers.is_empty() {
            return Err(Error::params("the folder has nobody's certificate")
                .in_file(peers_folder.display().to_string())
                .hint("put the certificate.pem of each other party there as NAME.pem"));
        }
        let (roots, provider) =
            (Arc::new(roots), Arc::new(rustls::crypto::ring::default_provider()));
        let tls = |error: &dyn std::fmt::Display| {
            Error::internal(format!("TLS can't be set up: {error}"))
        };
        let callers =
            WebPkiClientVerifier::builder_with_provider(Arc::clone(&roots), Arc::clone(&provider))
                .build()
                .map_err(|error| tls(&error))?;
        let called = WebPkiServerVerifier::builder_with_provider(roots, Arc::clone(&provider))
            .build()
            .map_err(|error| tls(&error))?;
        let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(|error| tls(&error))?
            .with_client_cert_verifier(callers)
            .with_single_cert(vec![own.clone()], key()?)
            .map_err(|error| wrong(&key_path, &error))?;
        let client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])
            .map_err(|error| tls(&error))?
            .with_webpki_verifier(called)
            .with_client_auth_cert(vec![own], key()?)
            .map_err(|error| wrong(&key_path, &error))?;
        Ok(Identity { server: Arc::new(server), client: Arc::new(client), peers })
    }

    /// By what name one knows whoever showed these certificates.
    pub fn name_of(&self, shown: Option<&[CertificateDer<'_>]>) -> Option<&str> {
        let shown = shown?.first()?;
        let is_it = |(_, known): &&(String, CertificateDer<'static>)| known == shown;
        self.peers.iter().find(is_it).map(|(name, _)| name.as_str())
    }
}
