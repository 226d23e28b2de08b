use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// An address, or a network of them.
///
/// ```
/// use housekey_base::IpRange;
///
/// let private: IpRange = "10.0.0.0/8".parse()?;
/// assert!(private.contains("10.1.2.3".parse().unwrap()));
/// # Ok::<_, housekey_base::InvalidIpRange>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IpRange {
    network: IpAddr,
    prefix: u32,
}

impl IpRange {
    /// Whether the address is inside. `::1` and `127.0.0.1` are different addresses; an IPv4 address inside IPv6
    /// (`::ffff:10.0.0.1`) is that IPv4 address.
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.network, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                shift(u128::from(network.to_bits()), 32 - self.prefix)
                    == shift(u128::from(address.to_bits()), 32 - self.prefix)
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                shift(network.to_bits(), 128 - self.prefix) == shift(address.to_bits(), 128 - self.prefix)
            }
            _ => false,
        }
    }
}

fn shift(bits: u128, by: u32) -> u128 {
    bits.checked_shr(by).unwrap_or(0)
}

impl FromStr for IpRange {
    type Err = InvalidIpRange;

    fn from_str(text: &str) -> Result<Self, InvalidIpRange> {
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let network = address.parse::<IpAddr>().map_err(|_| InvalidIpRange)?;
        let widest = if network.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse::<u32>().ok().filter(|prefix| *prefix <= widest).ok_or(InvalidIpRange)?
            }
            Some(_) => return Err(InvalidIpRange),
            None => widest,
        };
        // A mapped address is compared as the IPv4 address it is; a mapped network keeps its own form.
        let network = if prefix == 128 { network.to_canonical() } else { network };
        Ok(Self { network, prefix: if network.is_ipv4() { prefix.min(32) } else { prefix } })
    }
}

impl fmt::Display for IpRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.network, self.prefix)
    }
}

/// The text is no [`IpRange`]. Who asked knows where it stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidIpRange;

impl fmt::Display for InvalidIpRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("neither an address (10.0.0.1) nor a network (10.0.0.0/8)")
    }
}

impl std::error::Error for InvalidIpRange {}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_no_network_is_refused() {
        for text in ["localhost", "10.0.0.0/33", "::/129", "10.0.0.1/", "10.0.0.1/+8", "*", ""] {
            assert_eq!(text.parse::<IpRange>(), Err(InvalidIpRange), "{text}");
        }
    }

    #[test]
    fn a_mapped_address_is_the_address_it_maps() {
        let range: IpRange = "::ffff:10.0.0.1".parse().unwrap();
        assert!(range.contains("10.0.0.1".parse().unwrap()));
        assert!("10.0.0.0/8".parse::<IpRange>().unwrap().contains("::ffff:10.9.9.9".parse().unwrap()));
    }

    proptest! {
        #[test]
        fn a_network_holds_what_shares_its_prefix(bits: u32, prefix in 0_u32..=32, other: u32) {
            let range: IpRange = format!("{}/{prefix}", Ipv4Addr::from_bits(bits)).parse().unwrap();
            let mask = u32::MAX.checked_shl(32 - prefix).unwrap_or(0);
            let inside = bits & mask == other & mask;
            prop_assert_eq!(range.contains(Ipv4Addr::from_bits(other).into()), inside);
        }
    }
}
