//! Accounting by zero-concentrated differential privacy: losses add up, and what they come to is
//! said as epsilon and delta at the end (Bun and Steinke 2016; Canonne, Kamath and Steinke 2020).

/// The least delta with which a loss of rho is (epsilon, delta)-differential privacy, by the
/// conversion of Canonne, Kamath and Steinke. Any order gives a true one, so that what the search
/// finds is never too small.
pub fn delta(rho: f64, epsilon: f64) -> f64 {
    if rho <= 0.0 {
        return 0.0;
    }
    let log = |alpha: f64| {
        (alpha - 1.0) * (alpha * rho - epsilon) + alpha * (-1.0 / alpha).ln_1p()
            - (alpha - 1.0).ln()
    };
    // The logarithm has one minimum: thirds are cut off until it is between two near orders.
    let (mut low, mut high) = (1.0 + 1e-6, ((epsilon + 1.0) / (2.0 * rho)).max(2.0) * 4.0 + 4.0);
    for _ in 0..200 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if log(a) < log(b) { high = b } else { low = a }
    }
    log(low).min(log(high)).exp().min(1.0)
}

/// The largest loss rho that keeps (epsilon, delta)-differential privacy, rounded down.
pub fn rho(epsilon: f64, most: f64) -> f64 {
    let (mut low, mut high) = (0.0, epsilon + 1.0);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        if delta(middle, epsilon) <= most { low = middle } else { high = middle }
    }
    low * (1.0 - 1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_conversion_is_tighter_than_the_simple_one_and_not_too_tight() {
        for (epsilon, most) in [(1.0, 1e-7), (10.0, 1e-7), (0.1, 1e-5), (3.0, 1e-9)] {
            let found = rho(epsilon, most);
            // Bun and Steinke: epsilon = rho + 2 sqrt(rho ln(1 / delta)).
            let simple =
                ((epsilon + (1.0f64 / most).ln()).sqrt() - (1.0f64 / most).ln().sqrt()).powi(2);
            assert!(found > simple, "{found} {simple}");
            assert!(found < 2.5 * simple, "{found} {simple}");
            assert!(delta(found, epsilon) <= most);
            // No order gives a smaller delta than the search found.
            let log = |alpha: f64| {
                (alpha - 1.0) * (alpha * found - epsilon) + alpha * (1.0 - 1.0 / alpha).ln()
                    - (alpha - 1.0).ln()
            };
            let tried = (1..4000).map(|step| log(1.0 + f64::from(step) / 10.0).exp());
            assert!(tried.fold(1.0, f64::min) >= delta(found, epsilon) * 0.999_999);
        }
    }
}
