use std::io;
use std::net::{Ipv4Addr, TcpListener, UdpSocket};
use std::process;
use std::sync::atomic::{AtomicU16, Ordering};

/// Below the range that systems take ports from by themselves, for port 0 and for outgoing connections, and above those
/// that `housekey dev` gives to apps.
const FIRST: u16 = 26_000;
const COUNT: u16 = 6_000;

/// A port on loopback for a server that must be told one. Nobody else gets it as long as this lives, also not while the
/// server is away: the system gives no port of this range to anybody, and other tests see the claim.
#[derive(Debug)]
pub struct ServerPort {
    number: u16,
    /// The port of the same number in the other protocol: a sign to the others, while TCP stays free for the server.
    _claim: UdpSocket,
}

impl ServerPort {
    /// Finds one and takes it.
    ///
    /// # Errors
    ///
    /// When every port of the range is taken.
    pub fn claim() -> io::Result<Self> {
        static NEXT: AtomicU16 = AtomicU16::new(0);
        // Processes that run at the same time have different ids, and begin to look in different places.
        let start = process::id() % u32::from(COUNT);
        for _ in 0..COUNT {
            let step = u32::from(NEXT.fetch_add(1, Ordering::Relaxed));
            let Ok(offset) = u16::try_from((start + step) % u32::from(COUNT)) else { continue };
            let number = FIRST + offset;
            let Ok(claim) = UdpSocket::bind((Ipv4Addr::LOCALHOST, number)) else { continue };
            if TcpListener::bind((Ipv4Addr::LOCALHOST, number)).is_ok() {
                return Ok(Self { number, _claim: claim });
            }
        }
        Err(io::Error::new(io::ErrorKind::AddrInUse, "no port for a test server is free on loopback"))
    }

    /// What to tell the server.
    #[must_use]
    pub fn number(&self) -> u16 {
        self.number
    }
}

/// A port on loopback where every connection is refused: taken, so that nobody else listens there, and not listened on.
#[cfg(feature = "tokio")]
#[derive(Debug)]
pub struct ClosedPort(tokio::net::TcpSocket);

#[cfg(feature = "tokio")]
impl ClosedPort {
    /// Takes one.
    ///
    /// # Errors
    ///
    /// When the system has no port left.
    pub fn take() -> io::Result<Self> {
        let socket = tokio::net::TcpSocket::new_v4()?;
        socket.bind((Ipv4Addr::LOCALHOST, 0).into())?;
        Ok(Self(socket))
    }

    /// Where nobody answers.
    ///
    /// # Panics
    ///
    /// Never: a bound socket has an address.
    #[must_use]
    pub fn address(&self) -> std::net::SocketAddr {
        self.0.local_addr().expect("a bound socket has an address")
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn a_claimed_port_is_nobody_elses_and_free_for_its_server() {
        let (one, two) = (ServerPort::claim().unwrap(), ServerPort::claim().unwrap());
        assert_ne!(one.number(), two.number());
        assert!(UdpSocket::bind((Ipv4Addr::LOCALHOST, one.number())).is_err(), "the others see it");
        for _ in 0..2 {
            TcpListener::bind((Ipv4Addr::LOCALHOST, one.number())).unwrap();
        }
    }

    #[cfg(feature = "tokio")]
    #[test]
    fn a_closed_port_refuses_and_stays_taken() {
        let port = ClosedPort::take().unwrap();
        assert_eq!(TcpStream::connect(port.address()).unwrap_err().kind(), io::ErrorKind::ConnectionRefused);
        assert_eq!(TcpListener::bind(port.address()).unwrap_err().kind(), io::ErrorKind::AddrInUse);
    }
}
