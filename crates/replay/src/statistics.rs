//! The two statistics of the reports: Wilson's interval and pass^k.

use serde::Serialize;

/// The 97.5% quantile of the standard normal distribution.
const Z95: f64 = 1.959_963_984_540_054;

/// A count of successes among trials, with its rate and Wilson's 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Proportion {
    /// How many.
    pub of: u64,
    /// Among how many.
    pub among: u64,
    /// `of / among`; none without trials.
    pub rate: Option<f64>,
    /// Lower end of the interval; none without trials.
    pub low: Option<f64>,
    /// Upper end of the interval; none without trials.
    pub high: Option<f64>,
}

impl Proportion {
    /// Counts `of` among `among`; more than all is taken as all.
    pub fn new(of: u64, among: u64) -> Self {
        let of = of.min(among);
        let interval = wilson(of, among);
        Proportion {
            of,
            among,
            rate: (among > 0).then(|| of as f64 / among as f64),
            low: interval.map(|(low, _)| low),
            high: interval.map(|(_, high)| high),
        }
    }
}

/// Wilson's score interval at 95% for `of` successes among `among` trials
/// (E. B. Wilson, 1927), as NOMOS's Tables V and IX give it. None without
/// trials. The ends are exact at 0 and at all.
pub fn wilson(of: u64, among: u64) -> Option<(f64, f64)> {
    if among == 0 {
        return None;
    }
    let of = of.min(among);
    let n = among as f64;
    let p = of as f64 / n;
    let z2 = Z95 * Z95;
    let centre = p + z2 / (2.0 * n);
    let half = Z95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    let low = if of == 0 {
        0.0
    } else {
        (centre - half) / scale
    };
    let high = if of == among {
        1.0
    } else {
        (centre + half) / scale
    };
    Some((low, high))
}

/// The unbiased estimate of pass^k, the chance that `k` runs of one task all
/// pass: the mean over tasks of C(passes, k) / C(trials, k), over the tasks
/// with at least `k` trials (tau-bench; NOMOS, Table VI). None if there is no
/// such task or `k` is 0.
pub fn pass_hat_k(tasks: impl IntoIterator<Item = (u64, u64)>, k: u64) -> Option<f64> {
    if k == 0 {
        return None;
    }
    let (mut sum, mut count) = (0.0, 0u64);
    for (passes, trials) in tasks {
        if trials < k {
            continue;
        }
        let passes = passes.min(trials);
        // C(c, k) / C(n, k) as a product of k ratios, which cannot overflow.
        let mut chance = 1.0;
        for drawn in 0..k {
            chance *= passes.saturating_sub(drawn) as f64 / (trials - drawn) as f64;
        }
        sum += chance;
        count += 1;
    }
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(of: u64, among: u64, low: f64, high: f64) {
        let (l, h) = wilson(of, among).unwrap();
        assert!((l - low).abs() < 1e-9 && (h - high).abs() < 1e-9, "{l} {h}");
    }

    #[test]
    fn wilson_fits_values_worked_out_with_fifty_digits() {
        check(1, 2, 0.094531205734, 0.905468794265);
        check(5, 6, 0.436497177813, 0.969946630251);
        check(47, 49, 0.862869676939, 0.988734366633);
        // With no success the upper end is z^2 / (n + z^2), and mirrored.
        check(0, 10, 0.0, 0.277532799862);
        check(10, 10, 0.722467200137, 1.0);
    }

    #[test]
    fn wilson_fits_the_table_of_violations() {
        check(234, 353, 0.612057119171, 0.710214851076);
        check(3, 116, 0.008833887872, 0.073286764843);
        check(188, 611, 0.272392398233, 0.345395249901);
        check(40, 582, 0.050875824771, 0.092237055954);
    }

    #[test]
    fn without_trials_nothing_is_claimed() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(Proportion::new(0, 0).rate, None);
        assert_eq!(Proportion::new(7, 5).rate, Some(1.0));
    }

    #[test]
    fn pass_hat_k_averages_over_tasks() {
        let tasks = [(4, 4), (2, 4), (0, 4)];
        assert_eq!(pass_hat_k(tasks, 1), Some(0.5));
        // C(2, 2) / C(4, 2) = 1/6.
        let two = pass_hat_k(tasks, 2).unwrap();
        assert!((two - (1.0 + 1.0 / 6.0) / 3.0).abs() < 1e-12);
        assert_eq!(pass_hat_k(tasks, 4), Some(1.0 / 3.0));
        assert_eq!(pass_hat_k(tasks, 5), None);
        assert_eq!(pass_hat_k(tasks, 0), None);
        // A task with fewer trials says nothing about k.
        assert_eq!(pass_hat_k([(1, 1), (1, 4)], 2), Some(0.0));
    }
}
