use std::net::{IpAddr, Ipv6Addr};

use housekey_base::IpRange;
use http::HeaderMap;

use super::Incoming;
use crate::options::IpAddressOptions;

/// How client addresses are read, worked out once.
#[derive(Debug)]
pub(crate) struct Addresses {
    headers: Vec<String>,
    proxies: Vec<IpRange>,
    ipv6_mask: u128,
    tracking: bool,
}

impl Addresses {
    /// The error names the proxy that is no address.
    pub(crate) fn new(options: &IpAddressOptions) -> Result<Self, String> {
        let proxies = options.trusted_proxies.iter().map(|text| {
            text.trim()
                .parse()
                .map_err(|wrong| format!("advanced.ipAddress.trustedProxies: `{text}` is {wrong}"))
        });
        Ok(Self {
            headers: options.ip_address_headers.clone().unwrap_or_else(|| vec!["x-forwarded-for".into()]),
            proxies: proxies.collect::<Result<_, _>>()?,
            ipv6_mask: u128::MAX.checked_shl(128 - u32::from(options.ipv6_subnet.min(128))).unwrap_or(0),
            tracking: !options.disable_ip_tracking,
        })
    }

    /// Whether addresses are looked at at all.
    pub(crate) fn tracking(&self) -> bool {
        self.tracking
    }

    /// The client's address. One of IPv4 that an IPv6 address wraps is the former.
    pub(crate) fn of(&self, incoming: &Incoming) -> Option<IpAddr> {
        if !self.tracking {
            return None;
        }
        let named = self.headers.iter().find_map(|name| self.in_header(&incoming.headers, name));
        named.or(incoming.socket).map(|address| address.to_canonical())
    }

    /// What requests of the client are counted under: who has one IPv6 address mostly has its whole network, and could
    /// take another one for every attempt.
    pub(crate) fn counted(&self, incoming: &Incoming) -> Option<String> {
        Some(match self.of(incoming)? {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let masked = Ipv6Addr::from_bits(address.to_bits() & self.ipv6_mask);
                let groups = masked.segments().map(|group| format!("{group:04x}"));
                groups.join(":")
            }
        })
    }

    /// A proxy may add to the line that came, or a line of its own: all lines are one list.
    fn in_header(&self, headers: &HeaderMap, name: &str) -> Option<IpAddr> {
        let lines: Option<Vec<&str>> = headers.get_all(name).iter().map(|line| line.to_str().ok()).collect();
        let lines = lines?;
        let hops = lines.iter().flat_map(|line| line.split(','));
        let mut hops = hops.map(|hop| hop.trim().parse().ok().map(|hop: IpAddr| hop.to_canonical()));
        if self.proxies.is_empty() {
            // Of several addresses any but the last proxy's entry may be made up by the client.
            let only = hops.next()??;
            return hops.next().is_none().then_some(only);
        }
        for hop in hops.rev() {
            let hop: IpAddr = hop?;
            if !self.proxies.iter().any(|proxy| proxy.contains(hop)) {
                return Some(hop);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn address(options: &IpAddressOptions, header: Option<&str>, socket: Option<&str>) -> Option<String> {
        let addresses = Addresses::new(options).unwrap();
        addresses.of(&incoming(header, socket)).map(|address| address.to_string())
    }

    fn incoming(header: Option<&str>, socket: Option<&str>) -> Incoming {
        let mut incoming =
            Incoming { socket: socket.map(|socket| socket.parse().unwrap()), ..Incoming::default() };
        if let Some(header) = header {
            incoming.headers.insert("x-forwarded-for", HeaderValue::from_str(header).unwrap());
        }
        incoming
    }

    #[test]
    fn one_address_is_believed_and_a_chain_is_not() {
        let options = IpAddressOptions::default();
        assert_eq!(address(&options, Some("203.0.113.7"), None).as_deref(), Some("203.0.113.7"));
        assert_eq!(address(&options, Some("203.0.113.7, 10.0.0.1"), None), None);
        assert_eq!(address(&options, Some("nonsense"), None), None);
        assert_eq!(address(&options, None, Some("203.0.113.9")).as_deref(), Some("203.0.113.9"));
    }

    #[test]
    fn of_a_chain_the_right_most_hop_that_is_no_proxy_counts() {
        let proxies = vec!["10.0.0.0/8".into(), "2001:db8::1".into()];
        let options = IpAddressOptions { trusted_proxies: proxies, ..IpAddressOptions::default() };
        let of = |header| address(&options, Some(header), None);
        assert_eq!(of("1.1.1.1, 203.0.113.7, 10.1.2.3").as_deref(), Some("203.0.113.7"));
        assert_eq!(of("203.0.113.7, 2001:db8::1, ::ffff:10.0.0.9").as_deref(), Some("203.0.113.7"));
        assert_eq!(of("203.0.113.7, garbage, 10.0.0.1"), None);
    }

    #[test]
    fn a_proxy_that_adds_a_line_is_read_like_one_that_adds_to_it() {
        let of = |options: &IpAddressOptions, lines: &[&[u8]]| {
            let mut incoming = incoming(None, Some("198.51.100.1"));
            for line in lines {
                incoming.headers.append("x-forwarded-for", HeaderValue::from_bytes(line).unwrap());
            }
            Addresses::new(options).unwrap().of(&incoming).map(|address| address.to_string())
        };
        let alone = IpAddressOptions::default();
        assert_eq!(of(&alone, &[b"203.0.113.7"]).as_deref(), Some("203.0.113.7"));
        assert_eq!(of(&alone, &[b"1.1.1.1", b"203.0.113.7"]).as_deref(), Some("198.51.100.1"), "a chain");
        let proxies = vec!["10.0.0.0/8".into()];
        let behind = IpAddressOptions { trusted_proxies: proxies, ..IpAddressOptions::default() };
        assert_eq!(of(&behind, &[b"1.1.1.1", b"203.0.113.7, 10.0.0.1"]).as_deref(), Some("203.0.113.7"));
        assert_eq!(of(&behind, &[b"1.1.1.1", b"203.0.113.7", b"10.0.0.1"]).as_deref(), Some("203.0.113.7"));
        assert_eq!(of(&behind, &[b"\xff", b"203.0.113.7"]).as_deref(), Some("198.51.100.1"));
    }

    #[test]
    fn an_ipv6_address_is_counted_by_its_network_and_shown_as_it_is() {
        let options = IpAddressOptions::default();
        let counted =
            |header| Addresses::new(&options).unwrap().counted(&incoming(Some(header), None)).unwrap();
        assert_eq!(counted("2001:DB8:1:2:3:4:5:6"), "2001:0db8:0001:0002:0000:0000:0000:0000");
        assert_eq!(counted("2001:db8:1:2::99"), counted("2001:db8:1:2:ffff::1"));
        assert_eq!(counted("::ffff:203.0.113.7"), "203.0.113.7");
        let shown = |header| address(&options, Some(header), None).unwrap();
        assert_eq!(shown("2001:DB8:1:2:3:4:5:6"), "2001:db8:1:2:3:4:5:6");
        assert_eq!(shown("0000:0000:0000:0000:0000:0000:0000:0001"), "::1");
        assert_eq!(shown("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(address(&options, None, Some("::ffff:203.0.113.7")).unwrap(), "203.0.113.7");
    }

    #[test]
    fn a_proxy_that_is_no_address_is_refused_by_name() {
        for wrong in ["proxy.local", "10.0.0.0/33", ""] {
            let options =
                IpAddressOptions { trusted_proxies: vec![wrong.into()], ..IpAddressOptions::default() };
            assert!(Addresses::new(&options).unwrap_err().contains(&format!("`{wrong}`")));
        }
    }
}
