//! The secret by which sets are chosen: the same secret and the same data give every key the same
//! set.

use std::path::Path;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use sfumato_core::{Error, Result};
use sfumato_io::{read_text, write_text_atomically};

use sfumato_engine::hash::hash_text;

/// A secret of 32 bytes.
pub struct Secret([u8; 32]);

impl Secret {
    /// Make a new secret with the operating system's generator.
    pub fn new() -> Result<Self> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            Error::resources(format!("the operating system gave no random numbers: {error}"))
        })?;
        Ok(Secret(bytes))
    }

    /// Read the secret in a file. If there is no such file, it is made, readable by its owner only.
    pub fn in_file(path: &str) -> Result<Self> {
        if !Path::new(path).exists() {
            let secret = Self::new()?;
            let text: String = secret.0.iter().map(|byte| format!("{byte:02x}")).collect();
            write_text_atomically(Path::new(path), &(text + "\n"), true)?;
            return Ok(secret);
        }
        let wrong = || {
            Error::input("this isn't a secret: 64 hexadecimal digits")
                .in_file(path)
                .hint("name a file that isn't there to get a new one")
        };
        refuse_if_others_read(path)?;
        let text = read_text(path)?;
        let text = text.trim().as_bytes();
        if text.len() != 64 || !text.iter().all(u8::is_ascii_hexdigit) {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, digits) in bytes.iter_mut().zip(text.chunks(2)) {
            let digits = std::str::from_utf8(digits).map_err(|_| wrong())?;
            *byte = u8::from_str_radix(digits, 16).map_err(|_| wrong())?;
        }
        Ok(Secret(bytes))
    }

    /// A generator for one purpose, from which those for other purposes can't be predicted.
    pub fn generator(&self, purpose: &str) -> ChaCha20Rng {
        let mut generator = ChaCha20Rng::from_seed(self.0);
        generator.set_stream(hash_text(purpose));
        generator
    }
}

/// Refuse a secret that others may read: who knows it knows which set stands for which record.
fn refuse_if_others_read(path: &str) -> Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let found = std::fs::metadata(path).map_err(|e| Error::io(Path::new(path), "read", &e))?;
        let mode = found.permissions().mode() & 0o777;
        if mode & 0o077 != 0 {
            let message = format!("others can read or change this secret (its mode is {mode:03o})");
            return Err(Error::input(message).in_file(path).hint(
                "make it yours alone with chmod 600; if others have seen it, name a file that \
                 isn't there to get a new one",
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rand_chacha::rand_core::Rng;

    use super::*;

    #[test]
    fn a_secret_is_kept_in_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret").display().to_string();
        let first = Secret::in_file(&path).unwrap().generator("a").next_u64();
        let again = Secret::in_file(&path).unwrap();
        assert_eq!(again.generator("a").next_u64(), first);
        assert_ne!(again.generator("b").next_u64(), first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
            for mode in [0o640, 0o604, 0o602] {
                let permissions = std::fs::Permissions::from_mode(mode);
                std::fs::set_permissions(&path, permissions).unwrap();
                let error = Secret::in_file(&path).err().unwrap();
                assert!(error.message.contains("others can read or change"), "{error}");
            }
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o400)).unwrap();
            assert!(Secret::in_file(&path).is_ok());
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        }
        std::fs::write(&path, "short").unwrap();
        assert!(Secret::in_file(&path).is_err());
    }
}
