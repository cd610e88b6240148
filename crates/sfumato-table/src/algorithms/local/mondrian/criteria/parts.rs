//! Scores splits into more than two parts: the children of the lowest node above all cells, or
//! missing and the rest.

use super::super::leftover::Leftovers;
use super::Parts;
use super::score::{Column, Question, Scored, Scratch};
use super::slots::Slots;

/// The parts of a split with their rows.
pub struct Sizes<'s> {
    sizes: &'s [usize],
    least: usize,
}

impl<'s> Sizes<'s> {
    /// The sizes, if such a split is possible: several parts, one of them large enough, and small
    /// ones only if they are allowed.
    pub fn new(sizes: &'s [usize], least: usize, forbids_small: bool) -> Option<Self> {
        let sizes = Sizes { sizes, least };
        let large = sizes.sizes.iter().any(|size| *size >= least);
        let several = sizes.sizes.iter().filter(|size| **size > 0).count() > 1;
        (large && several && !(forbids_small && sizes.any_small())).then_some(sizes)
    }
    /// How far the largest part is from half of all rows.
    pub fn unevenness(&self, n: usize) -> usize {
        n.abs_diff(2 * self.sizes.iter().copied().max().unwrap_or(n))
    }
    /// Whether a part can't be published alone.
    pub fn is_small(&self, part: usize) -> bool {
        self.sizes[part] > 0 && self.sizes[part] < self.least
    }
    fn any_small(&self) -> bool {
        (0..self.sizes.len()).any(|part| self.is_small(part))
    }
    /// The number of parts if those that are too small stay together.
    pub fn n_parts(&self) -> usize {
        self.sizes.iter().filter(|size| **size >= self.least).count()
            + usize::from(self.any_small())
    }
}

impl Column<'_> {
    /// Where each part ends: one past its last code.
    fn ends(&self) -> Vec<u32> {
        let shape = &self.rules.shapes[self.column];
        match shape.tree.filter(|_| self.bounds.max < shape.missing) {
            Some(tree) => {
                let parent = tree.smallest_cover(self.bounds.min, self.bounds.max + 1);
                let ends = tree.children(parent).map(|child| tree.hi(child));
                ends.skip_while(|end| *end <= self.bounds.min).collect()
            }
            None => vec![shape.missing, shape.missing + 1],
        }
    }

    fn sizes<'s>(&self, sizes: &'s [usize]) -> Option<Sizes<'s>> {
        let forbids_small = self.rules.leftovers == Leftovers::None && self.node.budget == 0;
        Sizes::new(sizes, self.rules.check.min_rows.max(1), forbids_small)
    }

    fn push(&self, gain: f64, sizes: &Sizes<'_>, scored: &mut Vec<Scored>) {
        let unevenness = sizes.unevenness(self.node.range.len());
        scored.push(Scored {
            gain,
            unevenness,
            column: self.column,
            parts: sizes.n_parts(),
            cut: None,
        });
    }

    /// Score splits by any criteria.
    pub fn score_parts(&self, slots: &Slots, scratch: &mut Scratch, scored: &mut Vec<Scored>) {
        let ends = self.ends();
        let mut of_slot = std::mem::take(&mut scratch.of_slot);
        of_slot.clear();
        let mut sizes = vec![0; ends.len()];
        let mut part = 0;
        for slot in 0..slots.len() {
            while slots.code(slot) >= ends[part] {
                part += 1;
            }
            of_slot.push(part as u32);
            sizes[part] += (slots.ends[slot] - slots.rows_before(slot)) as usize;
        }
        if let Some(sizes) = self.sizes(&sizes) {
            // Those too small to leave stay together: one part more.
            let rest = ends.len() as u32;
            of_slot
                .iter_mut()
                .filter(|part| sizes.is_small(**part as usize))
                .for_each(|part| *part = rest);
            let parts = Parts { n: ends.len() + 1, of_slot: &of_slot };
            let gain = match self.question {
                Question::Selections(overlapping) => {
                    overlapping.of_parts(self.column, slots, &parts)
                }
                Question::Targets { wholes, .. } => {
                    let steering = self.guide.steering.iter().zip(wholes.iter());
                    let gain = |(steering, whole): (&super::guide::Steering, _)| {
                        let view = self.view(steering.own(self.block.payload()), slots, whole);
                        steering.criterion.of_parts(&view, &parts, &mut scratch.room)
                    };
                    steering.filter(|(steering, _)| steering.features[self.column]).map(gain).sum()
                }
            };
            self.push(gain, &sizes, scored);
        }
        scratch.of_slot = of_slot;
    }

    /// Score splits by two classes, if that is the only criterion and the faster way.
    pub fn score_parts_by_two_classes(
        &self,
        scratch: &mut Scratch,
        scored: &mut Vec<Scored>,
    ) -> Option<()> {
        let (info_gain, two_classes) = self.two_classes().filter(|_| self.spans_little())?;
        let ends = self.ends();
        let mut counted = vec![0u64; ends.len() + 1];
        two_classes.count(0, &mut scratch.table);
        let mut part = 0;
        for (code, n) in (self.bounds.min..).zip(&scratch.table).filter(|(_, n)| **n > 0) {
            while code >= ends[part] {
                part += 1;
            }
            counted[part] += n;
        }
        let sizes: Vec<usize> = counted[..ends.len()].iter().map(|n| (n >> 32) as usize).collect();
        if let Some(sizes) = self.sizes(&sizes) {
            for part in (0..ends.len()).filter(|part| sizes.is_small(*part)) {
                counted[ends.len()] += std::mem::take(&mut counted[part]);
            }
            self.push(info_gain.scale * two_classes.gain_of_parts(&counted), &sizes, scored);
        }
        Some(())
    }
}
