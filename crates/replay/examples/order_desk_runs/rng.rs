//! The generator's dice: a small seeded sequence, the same on every machine and for ever.
//!
//! It is the well-known SplitMix64 step. A crate would do as well, but could change its stream with a new version, and
//! with it the recordings.

/// A seeded sequence of numbers.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// A sequence that depends on nothing but `seed` and `name`.
    pub fn new(seed: u64, name: &str) -> Self {
        let mixed = name
            .bytes()
            .fold(seed ^ 0xcbf2_9ce4_8422_2325, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
            });
        Rng(mixed)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number from `low` up to, but not including, `high`.
    pub fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.bits() % high.saturating_sub(low).max(1)
    }

    /// One of the texts; the empty text if there are none.
    pub fn choose<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        let count = u64::try_from(texts.len()).unwrap_or(1);
        let index = usize::try_from(self.between(0, count)).unwrap_or(0);
        texts.get(index).copied().unwrap_or_default()
    }
}
