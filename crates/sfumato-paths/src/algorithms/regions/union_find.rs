//! Sets that are joined, and found again.

/// Numbers in disjoint sets.
pub struct UnionFind {
    above: Vec<u32>,
}

impl UnionFind {
    /// Each number in a set of its own.
    pub fn new(n: usize) -> UnionFind {
        UnionFind { above: (0..n as u32).collect() }
    }
    fn top(&mut self, mut of: u32) -> u32 {
        while self.above[of as usize] != of {
            // Paths become half as long each time they are walked.
            self.above[of as usize] = self.above[self.above[of as usize] as usize];
            of = self.above[of as usize];
        }
        of
    }
    /// Join the sets of two numbers. The smaller of their tops stays.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.top(a), self.top(b));
        self.above[a.max(b) as usize] = a.min(b);
    }
    /// The sets of more than one number, each ascending.
    pub fn sets(&mut self) -> Vec<Vec<u32>> {
        let n = self.above.len();
        let mut by_top: Vec<Vec<u32>> = vec![Vec::new(); n];
        for number in 0..n as u32 {
            let top = self.top(number);
            by_top[top as usize].push(number);
        }
        by_top.retain(|set| set.len() > 1);
        by_top
    }
}
