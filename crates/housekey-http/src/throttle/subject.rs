use std::fmt;
use std::net::IpAddr;

use crate::RequestContext;

/// Tells visitors apart by more than their address: the layer that knows who is signed in inserts one among the
/// services. Where it answers `None`, the address counts.
///
/// ```
/// use housekey_http::throttle::ThrottleSubject;
///
/// let subject = ThrottleSubject::new(|context| context.header("x-api-key").map(str::to_owned));
/// ```
pub struct ThrottleSubject(Box<Identify>);

type Identify = dyn Fn(&RequestContext) -> Option<String> + Send + Sync;

impl ThrottleSubject {
    /// A subject by a function of the request.
    pub fn new(identify: impl Fn(&RequestContext) -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Box::new(identify))
    }
}

impl fmt::Debug for ThrottleSubject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ThrottleSubject")
    }
}

/// Whom a request is counted against.
pub(super) fn subject(context: &RequestContext, ipv6_prefix: u8) -> String {
    let known = context.services().get::<ThrottleSubject>().and_then(|subject| (subject.0)(context));
    match (known, context.client_ip()) {
        (Some(known), _) => format!("user:{known}"),
        (None, Some(ip)) => format!("ip:{}", network(ip, ipv6_prefix)),
        // Without an address (a unix socket, say) all are one visitor: better than no limit.
        (None, None) => "ip:unknown".to_owned(),
    }
}

/// The address, or for IPv6 the network it is in.
pub(crate) fn network(ip: IpAddr, ipv6_prefix: u8) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(address) => {
            let host_bits = 128 - u32::from(ipv6_prefix.min(128));
            let mask = u128::MAX.checked_shl(host_bits).unwrap_or(0);
            IpAddr::V6((address.to_bits() & mask).into())
        }
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ipv6_network_is_one_visitor_and_a_mapped_address_is_the_ipv4_one() {
        for (ip, prefix, expected) in [
            ("2001:db8:1:2:3:4:5:6", 64, "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::1", 64, "2001:db8:1:2::"),
            ("2001:db8:1:3::1", 64, "2001:db8:1:3::"),
            ("2001:db8::1", 128, "2001:db8::1"),
            ("2001:db8::1", 200, "2001:db8::1"),
            ("2001:db8::1", 0, "::"),
            ("::ffff:203.0.113.7", 64, "203.0.113.7"),
            ("203.0.113.7", 64, "203.0.113.7"),
        ] {
            assert_eq!(network(ip.parse().unwrap(), prefix).to_string(), expected, "{ip}/{prefix}");
        }
    }
}
