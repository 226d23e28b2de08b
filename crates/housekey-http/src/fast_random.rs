//! Random text that is worth nothing once its answer is sent: the name of a request, the nonce of a page.
//!
//! It comes from a generator of the thread (ChaCha, which the operating system seeds again and again). To ask the system itself
//! for both costs the kernel a twentieth of a page. What is kept or carries a right, such as the id of a session, is asked for
//! there: [`housekey_core::random`].

use data_encoding::BASE64URL_NOPAD;
use housekey_core::random;

/// A [short id](random::short_id).
pub(crate) fn request_id() -> String {
    random::short_id_from(rand::random())
}

/// 24 URL-safe characters (144 bits).
pub(crate) fn nonce() -> String {
    BASE64URL_NOPAD.encode(&rand::random::<[u8; 18]>())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn nothing_comes_twice_on_any_thread() {
        let draw = || (0..1_000).flat_map(|_| [request_id(), nonce()]).collect::<Vec<_>>();
        let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(draw)).collect();
        let drawn: Vec<_> = threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect();
        assert_eq!(drawn.iter().collect::<HashSet<_>>().len(), 8_000);
        assert_eq!((drawn[0].len(), drawn[1].len()), (20, 24));
    }
}
