//! The figures of another tool on Adult. Nothing of that tool is run here.

/// One line of another tool's figures on Adult.
pub struct Peer {
    pub k: u32,
    pub name: &'static str,
    pub ncp: f64,
    pub discernibility: f64,
    pub classes: u64,
    pub seconds: f64,
    pub suppressed: u64,
}

/// ARX on the same file with the same hierarchies, by a neutral scorer, measured on the machine of
/// docs/benchmarks.md: CPU seconds of its anonymize step, warm where it was run twice.
pub const PEERS: [Peer; 7] = [
    Peer {
        k: 5,
        name: "ARX optimal full-domain, 0 %",
        ncp: 0.6355,
        discernibility: 7.00e7,
        classes: 24,
        seconds: 0.12,
        suppressed: 0,
    },
    Peer {
        k: 5,
        name: "ARX optimal full-domain, 5 %",
        ncp: 0.2696,
        discernibility: 5.92e7,
        classes: 397,
        seconds: 1.7,
        suppressed: 1_346,
    },
    Peer {
        k: 5,
        name: "ARX optimal full-domain, 100 %",
        ncp: 0.2277,
        discernibility: 8.41e7,
        classes: 602,
        seconds: 4.1,
        suppressed: 2_553,
    },
    Peer {
        k: 5,
        name: "ARX local recoding",
        ncp: 0.0589,
        discernibility: 2.45e5,
        classes: 4_540,
        seconds: 7.5,
        suppressed: 0,
    },
    Peer {
        k: 10,
        name: "ARX optimal full-domain, 0 %",
        ncp: 0.6355,
        discernibility: 7.00e7,
        classes: 24,
        seconds: 0.10,
        suppressed: 0,
    },
    Peer {
        k: 10,
        name: "ARX optimal full-domain, 5 %",
        ncp: 0.3178,
        discernibility: 6.70e7,
        classes: 196,
        seconds: 1.4,
        suppressed: 1_437,
    },
    Peer {
        k: 10,
        name: "ARX local recoding",
        ncp: 0.0820,
        discernibility: 4.29e5,
        classes: 2_314,
        seconds: 9.3,
        suppressed: 0,
    },
];
