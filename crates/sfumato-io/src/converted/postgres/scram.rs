//! SCRAM-SHA-256 (RFC 7677): shows a server that one knows a password, without sending it, and
//! makes the server show that it knows it too.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sfumato_core::{Error, Result};
use sha2::{Digest as _, Sha256};

/// A server that asks for more rounds than this would keep the program busy for minutes.
const MOST_ROUNDS: u32 = 1_000_000;

/// A conversation that has begun.
pub(super) struct Scram {
    nonce: String,
    password: String,
    /// What the server must answer in the end.
    expected: Option<[u8; 32]>,
}

/// What is said first about the channel: it isn't bound to an encryption.
const CHANNEL: &str = "n,,";

impl Scram {
    /// Begin with a random number of one's own.
    pub(super) fn new(password: &str) -> Result<Self> {
        let mut bytes = [0; 18];
        getrandom::fill(&mut bytes).map_err(|error| {
            Error::resources(format!("the operating system gave no random numbers: {error}"))
        })?;
        Ok(Self::with(&encode(&bytes), password))
    }

    fn with(nonce: &str, password: &str) -> Self {
        Scram { nonce: nonce.into(), password: password.into(), expected: None }
    }

    /// The first message. The server knows the user's name from elsewhere.
    pub(super) fn first(&self) -> String {
        format!("{CHANNEL}{}", self.bare(""))
    }

    fn bare(&self, user: &str) -> String {
        format!("n={user},r={}", self.nonce)
    }

    /// The last message, given what the server said to the first.
    pub(super) fn last(&mut self, said: &str) -> Result<String> {
        self.last_of("", said)
    }

    fn last_of(&mut self, user: &str, said: &str) -> Result<String> {
        let field = |name: &str| {
            said.split(',').find_map(|field| field.strip_prefix(name)?.strip_prefix('='))
        };
        let damaged = || Error::input("the server says something odd while it asks for a password");
        let (nonce, salt, rounds) = match (field("r"), field("s"), field("i")) {
            (Some(nonce), Some(salt), Some(rounds)) => (nonce, salt, rounds),
            _ => return Err(damaged()),
        };
        let rounds: u32 = rounds.parse().map_err(|_| damaged())?;
        let salt = decode(salt).ok_or_else(damaged)?;
        let is_own = nonce.len() > self.nonce.len() && nonce.starts_with(&self.nonce);
        if !is_own || rounds == 0 || rounds > MOST_ROUNDS {
            return Err(damaged());
        }
        let salted = stretched(self.password.as_bytes(), &salt, rounds);
        let key = keyed(&salted, b"Client Key");
        let without_proof = format!("c={},r={nonce}", encode(CHANNEL.as_bytes()));
        let all = format!("{},{said},{without_proof}", self.bare(user));
        let stored = Sha256::digest(key);
        let signature = keyed(&stored, all.as_bytes());
        let proof: Vec<u8> = key.iter().zip(signature).map(|(key, sign)| key ^ sign).collect();
        self.expected = Some(keyed(&keyed(&salted, b"Server Key"), all.as_bytes()));
        Ok(format!("{without_proof},p={}", encode(&proof)))
    }

    /// Check what the server answers in the end.
    pub(super) fn check(&self, said: &str) -> Result<()> {
        let shown = said.trim_end().strip_prefix("v=").and_then(decode);
        match (shown, self.expected) {
            (Some(shown), Some(expected)) if shown == expected => Ok(()),
            _ => Err(Error::input("the server doesn't know the password: it may be another one")),
        }
    }
}

fn keyed(key: &[u8], text: &[u8]) -> [u8; 32] {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("a key of any length is taken");
    mac.update(text);
    mac.finalize().into_bytes().into()
}

/// PBKDF2 with one block.
fn stretched(password: &[u8], salt: &[u8], rounds: u32) -> [u8; 32] {
    let mut round = keyed(password, &[salt, &[0, 0, 0, 1]].concat());
    let mut sum = round;
    for _ in 1..rounds {
        round = keyed(password, &round);
        sum.iter_mut().zip(round).for_each(|(sum, byte)| *sum ^= byte);
    }
    sum
}

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Bytes as base 64.
fn encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let byte = |at: usize| u32::from(three.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for place in 0..4 {
            match place <= three.len() {
                true => text.push(char::from(LETTERS[(bits >> (18 - 6 * place)) as usize & 63])),
                false => text.push('='),
            }
        }
    }
    text
}

/// The bytes of base 64.
fn decode(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u32> = text
        .trim_end_matches('=')
        .bytes()
        .map(|letter| LETTERS.iter().position(|known| *known == letter).map(|at| at as u32))
        .collect::<Option<_>>()?;
    let mut bytes = Vec::new();
    for four in digits.chunks(4) {
        let digit = |at: usize| four.get(at).copied().unwrap_or(0);
        let bits = digit(0) << 18 | digit(1) << 12 | digit(2) << 6 | digit(3);
        let all = bits.to_be_bytes();
        bytes.extend_from_slice(&all[1..four.len().max(1)]);
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7677, section 3.
    #[test]
    fn the_example_of_the_standard() {
        let mut scram = Scram::with("rOprNGfwEbeRWgbNEkqO", "pencil");
        let said = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
                    s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
        let last = scram.last_of("user", said).unwrap();
        let expected = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,\
                        p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
        assert_eq!(last, expected);
        scram.check("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=").unwrap();
        assert!(scram.check("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95H4=").is_err());
        assert!(scram.check("e=invalid-proof").is_err());
    }

    #[test]
    fn a_server_that_says_something_else_is_refused() {
        let first = Scram::new("x").unwrap().first();
        assert!(first.starts_with("n,,n=,r=") && first.len() > 30, "{first}");
        for said in
            ["", "r=abc,s=AAAA,i=1", "r=mine2,s=AAAA,i=0", "r=mine2,s=A*,i=9", "r=mine,s=AA,i=9"]
        {
            assert!(Scram::with("mine", "x").last(said).is_err(), "{said}");
        }
    }

    #[test]
    fn base_64_there_and_back() {
        for length in 0..20u8 {
            let bytes: Vec<u8> = (0..length).map(|n| n.wrapping_mul(57)).collect();
            assert_eq!(decode(&encode(&bytes)).unwrap(), bytes);
        }
        assert_eq!(encode(b"Man"), "TWFu");
        assert_eq!(encode(b"Ma"), "TWE=");
    }
}
