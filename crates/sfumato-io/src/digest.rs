//! The hash that identifies releases, inputs and manifests.

use sha2::Digest as _;

/// The SHA-256 hash of some bytes, in lower-case hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
