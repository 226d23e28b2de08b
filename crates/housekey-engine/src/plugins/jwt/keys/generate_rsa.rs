//! RSA keys. ring signs with them and makes none, so the primes come from `crypto-primes`; ring looks at the result before it
//! uses it.

use crypto_bigint::{BoxedUint, ConcatenatingMul, NonZero, Resize};
use crypto_primes::hazmat::{SetBits, SmallFactorsSieveFactory};
use crypto_primes::{Flavor, is_prime, sieve_and_find};
use getrandom::SysRng;
use getrandom::rand_core::UnwrapErr;
use serde_json::json;

use super::{NewKey, encode};

/// Bits of the modulus, as in the reference.
const BITS: u32 = 2048;
const EXPONENT: u32 = 65_537;
/// It takes more than one only where the exponent divides a prime less one.
const TRIES: usize = 16;

pub(super) fn rsa() -> Option<NewKey> {
    (0..TRIES).find_map(|_| from_primes(prime()?, prime()?))
}

/// A prime whose two highest bits are set: the product of two has all its bits then.
fn prime() -> Option<BoxedUint> {
    let factory = SmallFactorsSieveFactory::new(Flavor::Any, BITS / 2, SetBits::TwoMsb).ok()?;
    sieve_and_find(&mut UnwrapErr(SysRng), factory, |_, candidate| is_prime(Flavor::Any, candidate)).ok()?
}

/// The numbers of a key (RFC 8017, 3.2), the larger prime first. `None` where two primes make none.
fn from_primes(one: BoxedUint, other: BoxedUint) -> Option<NewKey> {
    let (p, q) = if one > other { (one, other) } else { (other, one) };
    let unit = BoxedUint::one_with_precision(BITS / 2);
    let less_one = |prime: &BoxedUint| NonZero::new(prime.wrapping_sub(&unit)).into_option();
    let (p1, q1) = (less_one(&p)?, less_one(&q)?);
    let n = p.concatenating_mul(&q);
    let phi = NonZero::new(p1.concatenating_mul(&*q1)).into_option()?;
    let e = BoxedUint::from(EXPONENT);
    let d = (&e).try_resize(BITS)?.invert_mod(&phi).into_option()?;
    let (dp, dq) = (d.rem(&p1), d.rem(&q1));
    let qi = q.invert_mod(&NonZero::new(p.clone()).into_option()?).into_option()?;
    let number = |number: &BoxedUint| encode(&number.to_be_bytes_trimmed_vartime());
    let (n, e) = (number(&n), number(&e));
    Some(NewKey {
        public: json!({ "kty": "RSA", "n": n, "e": e }),
        private: json!({
            "kty": "RSA", "n": n, "e": e, "d": number(&d), "p": number(&p), "q": number(&q),
            "dp": number(&dp), "dq": number(&dq), "qi": number(&qi),
        }),
    })
}
