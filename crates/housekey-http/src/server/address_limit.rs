use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::client_ip::TrustedProxies;
use crate::throttle::network;

/// Keeps one client from taking all connections of a server.
///
/// This machine and the trusted proxies are not limited: they speak for many. An IPv6 network of 64 bits is one client, who
/// could else come from another address each time.
pub(super) struct AddressLimit {
    /// 0 for no limit.
    most: usize,
    unlimited: TrustedProxies,
    open: Mutex<HashMap<IpAddr, usize>>,
}

impl AddressLimit {
    pub(super) fn new(most: usize, unlimited: TrustedProxies) -> Arc<Self> {
        Arc::new(Self { most, unlimited, open: Mutex::default() })
    }

    /// Counts a connection from this address for as long as the answer is held. `None` if there are enough.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr) -> Option<AddressPermit> {
        let address = address.to_canonical();
        if self.most == 0 || address.is_loopback() || self.unlimited.contains(address) {
            return Some(AddressPermit(None));
        }
        let client = network(address, 64);
        let mut open = self.open();
        let count = open.entry(client).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(AddressPermit(Some((self.clone(), client))))
    }

    fn open(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One counted connection.
pub(super) struct AddressPermit(Option<(Arc<AddressLimit>, IpAddr)>);

impl Drop for AddressPermit {
    fn drop(&mut self) {
        let Some((limit, client)) = &self.0 else { return };
        let mut open = limit.open();
        if let Some(count) = open.get_mut(client) {
            *count -= 1;
            if *count == 0 {
                open.remove(client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(most: usize) -> Arc<AddressLimit> {
        AddressLimit::new(most, TrustedProxies::parse(&["10.0.0.0/8"]).unwrap())
    }

    fn admitted(limit: &Arc<AddressLimit>, addresses: &[&str]) -> Vec<bool> {
        let places: Vec<_> = addresses.iter().map(|ip| limit.admit(ip.parse().unwrap())).collect();
        places.iter().map(Option::is_some).collect()
    }

    #[test]
    fn a_client_takes_so_many_places_and_gives_them_back() {
        let limit = limit(2);
        let addresses = ["203.0.113.5", "::ffff:203.0.113.5", "203.0.113.5", "203.0.113.6"];
        for _ in 0..2 {
            assert_eq!(admitted(&limit, &addresses), [true, true, false, true]);
        }
        assert!(limit.open().is_empty(), "nothing is kept about clients that are gone");
    }

    #[test]
    fn an_ipv6_network_is_one_client() {
        let addresses = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"];
        assert_eq!(admitted(&limit(1), &addresses), [true, false, true]);
    }

    #[test]
    fn this_machine_and_trusted_proxies_speak_for_many() {
        let addresses = ["127.0.0.1", "127.0.0.1", "::1", "::1", "10.1.2.3", "10.1.2.3"];
        assert_eq!(admitted(&limit(1), &addresses), [true; 6]);
        assert_eq!(admitted(&limit(0), &["203.0.113.5"; 3]), [true; 3]);
    }
}
