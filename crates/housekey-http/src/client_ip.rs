use std::net::{IpAddr, SocketAddr};

use housekey_base::IpRange;
use housekey_core::{Error, Result};
use http::HeaderMap;

/// The proxies whose word about a visitor's address counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TrustedProxies(Vec<IpRange>);

impl TrustedProxies {
    /// Reads addresses and networks, as `TRUSTED_PROXIES` lists them.
    pub fn parse<S: AsRef<str>>(list: &[S]) -> Result<Self> {
        let ranges = list.iter().map(|text| text.as_ref().trim()).filter(|text| !text.is_empty());
        let range = |text: &str| {
            text.parse().map_err(|wrong| Error::internal(format!("{text:?} in TRUSTED_PROXIES is {wrong}")))
        };
        ranges.map(range).collect::<Result<_>>().map(Self)
    }

    /// Whether this address is one of them.
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|range| range.contains(address))
    }

    /// The visitor's address: the socket's, or what a trusted proxy at the socket reported.
    ///
    /// The list in `x-forwarded-for` is read from its end, where the nearest proxy wrote, up to the first address
    /// that is no trusted proxy: what stands before it is the visitor's own claim. A list that cannot be read
    /// counts as none.
    pub fn client_ip(&self, socket: IpAddr, headers: &HeaderMap) -> IpAddr {
        let socket = socket.to_canonical();
        if self.0.is_empty() || !self.contains(socket) {
            return socket;
        }
        let mut client = socket;
        for header in headers.get_all("x-forwarded-for").iter().rev() {
            let Ok(list) = header.to_str() else { return socket };
            for entry in list.rsplit(',') {
                let Some(address) = parse_entry(entry.trim()) else { return socket };
                client = address;
                if !self.contains(client) {
                    return client;
                }
            }
        }
        client
    }

    /// Whether the visitor's connection is encrypted, as far as a trusted proxy at the socket knows.
    pub(crate) fn is_secure(&self, socket: IpAddr, headers: &HeaderMap) -> bool {
        if self.0.is_empty() || !self.contains(socket.to_canonical()) {
            return false;
        }
        let reported =
            headers.get_all("x-forwarded-proto").iter().next_back().and_then(|value| value.to_str().ok());
        let nearest = reported.and_then(|list| list.rsplit(',').next());
        nearest.is_some_and(|scheme| scheme.trim().eq_ignore_ascii_case("https"))
    }
}

/// An entry of `x-forwarded-for`: an address, with a port where the proxy adds one.
fn parse_entry(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    let address = bare.parse().or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip()));
    address.ok().map(|address: IpAddr| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    fn seen(trusted: &[&str], socket: &str, forwarded: &[&str]) -> IpAddr {
        let mut headers = HeaderMap::new();
        for value in forwarded {
            headers.append("x-forwarded-for", HeaderValue::from_str(value).unwrap());
        }
        TrustedProxies::parse(trusted).unwrap().client_ip(ip(socket), &headers)
    }

    // spec: IP-1
    #[test]
    fn a_strangers_forwarded_for_changes_nothing() {
        assert_eq!(seen(&[], "203.0.113.9", &["1.2.3.4"]), ip("203.0.113.9"));
        assert_eq!(seen(&["10.0.0.1"], "203.0.113.9", &["1.2.3.4"]), ip("203.0.113.9"));
    }

    // spec: IP-3
    #[test]
    fn a_listed_proxys_addresses_count_and_an_unlisted_form_is_ignored() {
        assert_eq!(seen(&["127.0.0.1"], "127.0.0.1", &["1.2.3.4"]), ip("1.2.3.4"));
        assert_eq!(seen(&["127.0.0.1"], "::1", &["1.2.3.4"]), ip("::1"));
        assert_eq!(seen(&["::1"], "127.0.0.1", &["1.2.3.4"]), ip("127.0.0.1"));
        assert_eq!(seen(&["::1"], "::1", &["1.2.3.4"]), ip("1.2.3.4"));
    }

    #[test]
    fn the_list_is_read_from_its_end_up_to_the_first_stranger() {
        let trusted = &["10.0.0.0/8"];
        assert_eq!(seen(trusted, "10.0.0.1", &["6.6.6.6, 1.2.3.4, 10.9.9.9"]), ip("1.2.3.4"));
        assert_eq!(seen(trusted, "10.0.0.1", &["6.6.6.6", "1.2.3.4", "10.9.9.9"]), ip("1.2.3.4"));
        assert_eq!(seen(trusted, "10.0.0.1", &["10.1.1.1, 10.2.2.2"]), ip("10.1.1.1"));
        assert_eq!(seen(trusted, "10.0.0.1", &[]), ip("10.0.0.1"));
        assert_eq!(seen(trusted, "10.0.0.1", &["[2001:db8::7]:443"]), ip("2001:db8::7"));
    }

    #[test]
    fn a_list_that_cannot_be_read_counts_as_none() {
        for list in ["unknown", "1.2.3.4, ", ", 1.2.3.4,,", "1.2.3.4.5", "1.2.3.4 5.6.7.8", "2001:db8::g"] {
            assert_eq!(seen(&["10.0.0.1"], "10.0.0.1", &[list]), ip("10.0.0.1"), "{list}");
        }
    }

    #[test]
    fn a_mapped_address_is_the_address_it_maps() {
        assert_eq!(seen(&["10.0.0.1"], "::ffff:10.0.0.1", &["::ffff:1.2.3.4"]), ip("1.2.3.4"));
    }

    #[test]
    fn a_mistake_in_the_list_is_named() {
        for text in ["localhost", "10.0.0.0/33", "::/129", "10.0.0.1/", "10.0.0.1/+8", "*"] {
            let error = TrustedProxies::parse(&[text]).unwrap_err().to_string();
            assert!(error.contains(text) && error.contains("TRUSTED_PROXIES"), "{error}");
        }
        assert!(TrustedProxies::parse(&["0.0.0.0/0", " ::/0 ", ""]).is_ok());
    }

    proptest! {
        #[test]
        fn whatever_is_forwarded_a_stranger_stays_at_the_socket(list in "[ -~]{0,60}") {
            prop_assert_eq!(seen(&["10.0.0.1"], "203.0.113.9", &[&list]), ip("203.0.113.9"));
        }

        #[test]
        fn the_answer_is_the_socket_or_an_address_from_the_list(list in "[0-9a-f.:, \\[\\]]{0,60}") {
            let answer = seen(&["10.0.0.1"], "10.0.0.1", &[&list]);
            let listed = list.split(',').filter_map(|entry| parse_entry(entry.trim())).any(|entry| entry == answer);
            prop_assert!(listed || answer == ip("10.0.0.1"));
        }
    }
}
