//! Encrypted connections: a certificate with its key, as PEM files hold them. TLS 1.3 alone is
//! spoken, which every browser of today understands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sfumato_core::{Error, Result};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::pki_types::pem::{self, PemObject as _};
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::{ServerConfig, crypto::ring, version::TLS13};

/// The files of a certificate and of its private key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// The certificate, and behind it those that vouch for it, as PEM.
    pub chain: PathBuf,
    /// Its private key, as PEM.
    pub key: PathBuf,
}

impl Certificate {
    /// Read both, and refuse a key that isn't that of the certificate.
    pub(crate) fn acceptor(&self) -> Result<TlsAcceptor> {
        let wrong = |path: &Path, why: &str| {
            Error::input(why).in_file(path.display().to_string()).hint(
                "--certificate has '-----BEGIN CERTIFICATE-----' and --key '-----BEGIN PRIVATE \
                 KEY-----', both as PEM",
            )
        };
        let unread = |path: &Path, error: pem::Error| match error {
            pem::Error::Io(error) => Error::io(path, "read", &error),
            _ => wrong(path, "this isn't PEM with what is needed"),
        };
        let chain = CertificateDer::pem_file_iter(&self.chain)
            .and_then(Iterator::collect::<std::result::Result<Vec<_>, _>>)
            .map_err(|error| unread(&self.chain, error))?;
        if chain.is_empty() {
            return Err(wrong(&self.chain, "there is no certificate in this file"));
        }
        let key = PrivateKeyDer::from_pem_file(&self.key);
        let key = key.map_err(|error| unread(&self.key, error))?;
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
            .with_protocol_versions(&[&TLS13])
            .and_then(|config| config.with_no_client_auth().with_single_cert(chain, key))
            .map_err(|error| {
                wrong(&self.chain, &format!("this certificate can't serve: {error}"))
            })?;
        Ok(TlsAcceptor::from(Arc::new(config)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A certificate for this machine, made for the test.
    fn made(folder: &Path, name: &str) -> Certificate {
        let made = rcgen::generate_simple_self_signed(["localhost".to_string()]).unwrap();
        let files = Certificate {
            chain: folder.join(format!("{name}.pem")),
            key: folder.join(format!("{name}.key")),
        };
        std::fs::write(&files.chain, made.cert.pem()).unwrap();
        std::fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        files
    }

    fn refused(files: Certificate) -> Error {
        files.acceptor().err().expect("this isn't a certificate with its key")
    }

    #[test]
    fn a_certificate_needs_its_own_key() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (made(folder.path(), "one"), made(folder.path(), "other"));
        assert!(one.acceptor().is_ok());
        let mixed = refused(Certificate { key: other.key.clone(), ..one.clone() });
        assert!(mixed.message.contains("can't serve"), "{}", mixed.message);
        let swapped = refused(Certificate { chain: one.key.clone(), key: one.chain.clone() });
        assert!(swapped.message.contains("no certificate"), "{}", swapped.message);
        let keyless = refused(Certificate { key: one.chain.clone(), ..one.clone() });
        assert!(keyless.message.contains("isn't PEM"), "{}", keyless.message);
        let missing = refused(Certificate { key: folder.path().join("none.key"), ..one });
        assert_eq!(missing.kind, sfumato_core::ErrorKind::Io);
    }
}
