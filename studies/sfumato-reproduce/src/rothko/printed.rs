//! The paper's figure 24 as printed: nodes pruned with tests and, in brackets there, without;
//! `None` where it prints x.

/// The records that are drawn, line by line.
pub const DRAWN: [u64; 8] = [100, 250, 500, 1000, 2500, 5000, 10_000, 25_000];

/// The numbers with and without tests.
pub type Entry = (Option<u32>, Option<u32>);

const X: Entry = (None, None);
const fn e(tests: u32, naive: u32) -> Entry {
    (Some(tests), Some(naive))
}
const fn x(naive: u32) -> Entry {
    (None, Some(naive))
}

/// (a) k-anonymity: k = 10, 100, 1000, 10000.
pub const K_ANONYMITY: [[Entry; 4]; 8] = [
    [e(68, 1384), X, X, X],
    [e(30, 1110), e(7, 97), X, X],
    [e(11, 419), e(12, 55), X, X],
    [e(0, 0), e(5, 6), X, X],
    [e(0, 0), e(2, 1), e(1, 3), X],
    [e(0, 0), e(0, 0), e(1, 4), X],
    [e(0, 0), e(0, 0), e(0, 0), X],
    [e(0, 0), e(0, 0), e(0, 0), e(0, 0)],
];

/// (b) l-diversity: l = 2, 4, 6, 8.
pub const L_DIVERSITY: [[Entry; 4]; 8] = [
    [e(97, 631), X, X, X],
    [e(65, 87), X, e(8, 67), X],
    [e(2, 763), x(111), e(2, 32), X],
    [e(112, 91), e(1, 170), e(1, 33), x(16)],
    [e(0, 0), e(0, 2), e(1, 0), e(0, 2)],
    [e(0, 0), e(0, 2), e(0, 0), e(0, 9)],
    [e(0, 0), e(0, 1), e(0, 0), e(0, 0)],
    [e(0, 0), e(0, 1), e(0, 0), e(0, 0)],
];

/// (c) variance diversity of the uniform salary: v = 1.1e9, 1.2e9, 1.3e9.
pub const UNIFORM: [[Entry; 3]; 8] = [
    [X, X, X],
    [x(510), X, X],
    [x(443), x(434), X],
    [e(0, 456), x(372), X],
    [e(0, 0), e(0, 87), x(146)],
    [e(0, 0), e(0, 0), e(0, 47)],
    [e(0, 0), e(0, 0), e(0, 5)],
    [e(0, 0), e(0, 2), e(0, 7)],
];

/// (d) variance diversity of the normal salary: v = 7e7, 8e7, 9e7.
pub const NORMAL: [[Entry; 3]; 8] = [
    [X, X, X],
    [x(396), X, X],
    [x(599), x(457), X],
    [e(0, 402), e(0, 405), x(278)],
    [e(0, 18), e(0, 66), x(169)],
    [e(0, 0), e(0, 0), e(0, 6)],
    [e(0, 0), e(0, 0), e(0, 13)],
    [e(0, 0), e(0, 0), e(0, 17)],
];
