//! A fast hash map for small integer keys, for the unique tables and memos of this crate.
//!
//! The maps are looked up and never iterated, so their order reaches no output. The keys are our own node numbers, which an
//! attacker cannot choose freely, so a hash without a secret is enough.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Mixes each word in by a rotation, an exclusive or and a multiplication by an odd constant.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mixer(u64);

/// The odd number nearest to 2^64 divided by the golden ratio, which spreads consecutive keys evenly.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Mixer {
    fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(26) ^ word).wrapping_mul(SPREAD);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let word = chunk
                .iter()
                .fold(0, |word, byte| (word << 8) | u64::from(*byte));
            self.mix(word);
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}
