//! Breaks inputs.

/// Bytes that mean something to one of our parsers.
const TELLING: &[&[u8]] = &[
    b"\"",
    b",",
    b";",
    b"\t",
    b"|",
    b"\n",
    b"\r\n",
    b"\r",
    b"\0",
    b"\xEF\xBB\xBF",
    b"\xFF",
    b"\xC3",
    b"[",
    b"]",
    b"{",
    b"}",
    b"=",
    b":",
    b"*",
    b"..",
    b"-",
    b"9223372036854775807",
    b"-1",
    b"1e308",
    b"\"\"",
    b"null",
    b"\\u0000",
    b"'''",
];

/// Makes new inputs from a pool of old ones.
pub struct Mutator {
    state: u64,
    pool: Vec<Vec<u8>>,
    /// The first of the pool are the valid samples.
    n_samples: usize,
}

impl Mutator {
    /// From samples.
    pub fn new(seed: u64, pool: Vec<Vec<u8>>) -> Self {
        Mutator { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, n_samples: pool.len(), pool }
    }

    /// Remember an input that was interesting.
    pub fn keep(&mut self, input: Vec<u8>) {
        self.pool.push(input);
    }

    /// A new input.
    pub fn mutated(&mut self) -> Vec<u8> {
        // Half the time a small change to a valid sample, which gets past the first checks.
        let near = self.below(2) == 0;
        let pick = self.below(if near { self.n_samples } else { self.pool.len() });
        let mut input = self.pool[pick].clone();
        for _ in 0..1 + self.below(if near { 2 } else { 6 }) {
            self.mutate(&mut input);
        }
        input.truncate(64 << 10);
        input
    }

    fn mutate(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        let end = (at + self.below(40)).min(input.len());
        match self.below(8) {
            0 => drop(input.drain(at..end)),
            1 => input.truncate(at),
            2 => {
                let copy = input[at..end].to_vec();
                input.splice(
                    at..at,
                    copy.iter().cycle().take(copy.len() * (1 + self.below(4))).copied(),
                );
            }
            3 if at < input.len() => input[at] ^= 1 << self.below(8),
            4 if at < input.len() => input[at] = self.below(256) as u8,
            5 => {
                let pick = self.below(self.pool.len());
                let other = self.pool[pick].clone();
                let from = self.below(other.len() + 1);
                let to = (from + self.below(200)).min(other.len());
                input.splice(at..end, other[from..to].iter().copied());
            }
            _ => {
                let token = TELLING[self.below(TELLING.len())];
                input.splice(at..at, token.iter().copied());
            }
        }
    }

    /// A number below `n`, by xorshift: quality doesn't matter here, repeatability does.
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % n.max(1) as u64) as usize
    }
}
