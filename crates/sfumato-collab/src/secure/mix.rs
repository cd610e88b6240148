//! Anonymous collection: rows are sealed in layers, one for each holder and one for the collector.
//! Every holder takes its layer off all rows and shuffles them, so that who sent a row is known
//! only if all holders collude.
//!
//! A layer is a key agreed over ristretto255 with a number drawn for the row alone, and
//! ChaCha20-Poly1305 under it.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use sfumato_core::{Error, Result};
use sha2::{Digest, Sha256};

use super::commutative::read_point;
use super::secrets::scalar;
use crate::protocol::message::Bytes32;

/// A key pair of the mix.
pub struct MixKey {
    secret: Scalar,
    /// What others seal for.
    pub public: Bytes32,
}

impl MixKey {
    /// Draw a pair.
    pub fn new(random: &mut ChaCha20Rng) -> Self {
        let secret = scalar(random);
        MixKey { public: RistrettoPoint::mul_base(&secret).compress().to_bytes(), secret }
    }

    /// Take one's own layer off all rows. A row that doesn't open was changed on its way.
    pub fn open(&self, rows: &[Vec<u8>]) -> Result<Vec<Vec<u8>>> {
        let open = |row: &Vec<u8>| {
            let broken = || {
                Error::input("a sealed row doesn't open: it was changed on its way")
                    .hint("nothing was released")
            };
            let (head, body) = row.split_at_checked(32).ok_or_else(broken)?;
            let head: Bytes32 = head.try_into().map_err(|_| broken())?;
            let shared = read_point(&head)? * self.secret;
            let mut bytes = body.to_vec();
            let key = key(&head, &shared)?;
            let opened = key
                .open_in_place(Nonce::assume_unique_for_key([0; 12]), Aad::empty(), &mut bytes)
                .map_err(|_| broken())?;
            Ok(opened.to_vec())
        };
        rows.par_iter().map(open).collect()
    }
}

/// Each key seals one row, so that one nonce will do.
fn key(head: &Bytes32, shared: &RistrettoPoint) -> Result<LessSafeKey> {
    let mut hash = Sha256::new();
    hash.update(b"sfumato collaborate row\0");
    hash.update(head);
    hash.update(shared.compress().as_bytes());
    let bytes: Bytes32 = hash.finalize().into();
    let key = UnboundKey::new(&CHACHA20_POLY1305, &bytes)
        .map_err(|_| Error::internal("a key of the mix has the wrong length"))?;
    Ok(LessSafeKey::new(key))
}

/// Seal rows for holders in the order in which they open them.
pub fn seal(
    rows: Vec<Vec<u8>>,
    layers: &[Bytes32],
    random: &mut ChaCha20Rng,
) -> Result<Vec<Vec<u8>>> {
    let layers: Vec<RistrettoPoint> = layers.iter().map(read_point).collect::<Result<_>>()?;
    let draws: Vec<Vec<Scalar>> =
        rows.iter().map(|_| layers.iter().map(|_| scalar(random)).collect()).collect();
    let seal = |(row, draws): (Vec<u8>, &Vec<Scalar>)| {
        let mut row = row;
        // The last to open is the innermost.
        for (public, draw) in layers.iter().zip(draws).rev() {
            let head = RistrettoPoint::mul_base(draw).compress().to_bytes();
            key(&head, &(public * draw))?
                .seal_in_place_append_tag(
                    Nonce::assume_unique_for_key([0; 12]),
                    Aad::empty(),
                    &mut row,
                )
                .map_err(|_| Error::internal("a row can't be sealed"))?;
            row.splice(0..0, head);
        }
        Ok(row)
    };
    rows.into_par_iter().zip(&draws).map(seal).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_engine::random::generator;

    #[test]
    fn layers_come_off_in_their_order_and_no_other() {
        let mut random = generator(Some(3)).unwrap();
        let keys: Vec<MixKey> = (0..3).map(|_| MixKey::new(&mut random)).collect();
        let layers: Vec<Bytes32> = keys.iter().map(|key| key.public).collect();
        let rows = vec![b"a row".to_vec(), b"".to_vec()];
        let mut sealed = seal(rows.clone(), &layers, &mut random).unwrap();
        assert!(keys[1].open(&sealed).is_err());
        for key in &keys {
            sealed = key.open(&sealed).unwrap();
        }
        assert_eq!(sealed, rows);
        let mut changed = seal(rows, &layers, &mut random).unwrap();
        changed[0][40] ^= 1;
        assert!(keys[0].open(&changed).is_err());
    }
}
