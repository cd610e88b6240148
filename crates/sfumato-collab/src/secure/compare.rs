//! Which of two numbers is larger, without showing either: the protocol of Lin and Tzeng (2005)
//! over ElGamal on ristretto255.
//!
//! The asker encrypts its number bit by bit: for each bit two ciphertexts, of zero for the bit that
//! it has and of a random point for the other. The answerer adds up, for each zero of its own
//! number, the ciphertexts of its higher bits and of a one in place of the zero. One of the sums is
//! an encryption of zero exactly if the asker's number is larger. The answerer multiplies and
//! encrypts them again and shuffles them, so that the asker learns that one bit.

use curve25519_dalek::ristretto::RistrettoPoint;
use curve25519_dalek::scalar::Scalar;
use rand_chacha::ChaCha20Rng;
use rayon::prelude::*;
use sfumato_core::{Error, Result};
use sfumato_engine::random::shuffle;

use super::commutative::read_point;
use super::secrets::scalar;
use crate::protocol::message::Bytes32;

/// How many bits the numbers have.
pub const BITS: usize = 80;

/// A ciphertext: `r G` and `m + r P`.
#[derive(Clone, Copy)]
struct Cipher(RistrettoPoint, RistrettoPoint);

impl Cipher {
    fn of(message: RistrettoPoint, public: &RistrettoPoint, random: &Scalar) -> Self {
        Cipher(RistrettoPoint::mul_base(random), message + public * random)
    }
    fn plus(self, other: Cipher) -> Self {
        Cipher(self.0 + other.0, self.1 + other.1)
    }
    fn write(&self) -> [Bytes32; 2] {
        [self.0.compress().to_bytes(), self.1.compress().to_bytes()]
    }
    fn read(bytes: &[Bytes32]) -> Result<Self> {
        match bytes {
            [a, b] => Ok(Cipher(read_point(a)?, read_point(b)?)),
            _ => Err(Error::internal("a ciphertext has two points")),
        }
    }
}

/// The asker's side.
pub struct Asker {
    key: Scalar,
}

impl Asker {
    /// The question about a number: what to send.
    pub fn ask(number: u128, random: &mut ChaCha20Rng) -> (Self, Vec<Bytes32>) {
        let key = scalar(random);
        let public = RistrettoPoint::mul_base(&key);
        let draws: Vec<[Scalar; 3]> =
            (0..BITS).map(|_| [scalar(random), scalar(random), scalar(random)]).collect();
        let of_bit = |(bit, [a, b, other]): (usize, &[Scalar; 3])| {
            let zero = Cipher(RistrettoPoint::mul_base(a), public * a);
            let noise = Cipher::of(RistrettoPoint::mul_base(other), &public, b);
            let pair = if number >> bit & 1 == 1 { [noise, zero] } else { [zero, noise] };
            pair.map(|cipher| cipher.write()).concat()
        };
        let table: Vec<Bytes32> = draws.par_iter().enumerate().flat_map_iter(of_bit).collect();
        let points = std::iter::once(public.compress().to_bytes()).chain(table).collect();
        (Asker { key }, points)
    }

    /// Whether the asker's number is larger, from what the answerer sent.
    pub fn is_larger(&self, answer: &[Bytes32]) -> Result<bool> {
        if answer.len() != 2 * BITS {
            return Err(Error::input("a comparison was answered with too few or too many points"));
        }
        let zero = RistrettoPoint::mul_base(&Scalar::ZERO);
        let is_zero = |bytes: &[Bytes32]| {
            let Cipher(a, b) = Cipher::read(bytes)?;
            Ok(b - a * self.key == zero)
        };
        let found: Vec<bool> = answer.par_chunks(2).map(is_zero).collect::<Result<_>>()?;
        Ok(found.contains(&true))
    }
}

/// The answer to a question, by whoever has the other number.
pub fn answer(
    question: &[Bytes32],
    number: u128,
    random: &mut ChaCha20Rng,
) -> Result<Vec<Bytes32>> {
    if question.len() != 1 + 4 * BITS {
        return Err(Error::input("a comparison was asked with too few or too many points"));
    }
    let public = read_point(&question[0])?;
    let table: Vec<Cipher> =
        question[1..].par_chunks(2).map(Cipher::read).collect::<Result<_>>()?;
    let of = |bit: usize, value: usize| table[2 * bit + value];
    let mut above: Option<Cipher> = None;
    let mut sums = Vec::with_capacity(BITS);
    for bit in (0..BITS).rev() {
        let own = (number >> bit & 1) as usize;
        let plus = |cipher: Cipher| above.map_or(cipher, |above| above.plus(cipher));
        // A bit that is set has no sum of its own: noise stands in its place.
        let noise = || Cipher::of(RistrettoPoint::mul_base(&Scalar::ONE), &public, &Scalar::ONE);
        sums.push(if own == 0 { plus(of(bit, 1)) } else { noise() });
        above = Some(plus(of(bit, own)));
    }
    let draws: Vec<[Scalar; 2]> = sums.iter().map(|_| [scalar(random), scalar(random)]).collect();
    let hidden = |(Cipher(a, b), [times, fresh]): (&Cipher, &[Scalar; 2])| {
        let fresh = Cipher(RistrettoPoint::mul_base(fresh), public * fresh);
        Cipher(a * times, b * times).plus(fresh).write()
    };
    let hidden: Vec<[Bytes32; 2]> = sums.par_iter().zip(&draws).map(hidden).collect();
    let mut order: Vec<u32> = (0..BITS as u32).collect();
    shuffle(&mut order, random);
    Ok(order.iter().flat_map(|&place| hidden[place as usize]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sfumato_engine::random::generator;

    fn compared(x: u128, y: u128) -> bool {
        let mut random = generator(Some(x as u64 ^ 77)).unwrap();
        let (asker, question) = Asker::ask(x, &mut random);
        let answer = answer(&question, y, &mut random).unwrap();
        asker.is_larger(&answer).unwrap()
    }

    #[test]
    fn numbers_are_compared_as_they_are() {
        let most = (1u128 << BITS) - 1;
        for x in [0, 1, 2, 5, 1 << 79, most - 1, most] {
            for y in [0, 1, 3, 5, 1 << 79, most] {
                assert_eq!(compared(x, y), x > y, "{x} {y}");
            }
        }
    }

    #[test]
    fn an_answer_to_another_question_is_refused() {
        let mut random = generator(Some(1)).unwrap();
        let (asker, question) = Asker::ask(5, &mut random);
        assert!(answer(&question[1..], 3, &mut random).is_err());
        assert!(asker.is_larger(&[[0; 32]; 4]).is_err());
    }
}
