//! Room for a page to be written into, used again and again.
//!
//! A page is larger than anything else that an answer allocates, and giving so much back to the system's allocator makes
//! it tidy up each time. So a thread keeps a few of the buffers whose pages have been sent.

use std::cell::RefCell;

use housekey_http::axum::body::Bytes;

/// Most pages fit, and growing a buffer copies it.
const USUAL: usize = 16 * 1024;
/// Larger ones are not worth their room.
const LARGEST: usize = 64 * 1024;
/// As many pages as a thread sends at once under load.
const MOST: usize = 16;

thread_local! {
    static SPARE: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// An empty buffer.
pub(crate) fn take() -> String {
    let spare = SPARE.try_with(|spare| spare.try_borrow_mut().ok().and_then(|mut spare| spare.pop()));
    spare.ok().flatten().unwrap_or_else(|| String::with_capacity(USUAL))
}

/// A written page as a body. When it has been sent, its buffer is kept for another.
pub(crate) fn into_bytes(page: String) -> Bytes {
    Bytes::from_owner(Sent(page))
}

struct Sent(String);

impl AsRef<[u8]> for Sent {
    fn as_ref(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

impl Drop for Sent {
    fn drop(&mut self) {
        let mut buffer = std::mem::take(&mut self.0);
        if !(USUAL..=LARGEST).contains(&buffer.capacity()) {
            return;
        }
        buffer.clear();
        // A thread that is about to end keeps nothing.
        let _ = SPARE.try_with(|spare| {
            if let Ok(mut spare) = spare.try_borrow_mut()
                && spare.len() < MOST
            {
                spare.push(buffer);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_was_sent_leaves_its_buffer_empty_for_the_next() {
        let mut page = take();
        page.push_str("<p>somebody's page</p>");
        let place = page.as_ptr();
        let sent = into_bytes(page);
        let copy = sent.clone();
        drop(sent);
        assert_eq!(&copy[..], b"<p>somebody's page</p>");
        drop(copy);
        let next = take();
        assert_eq!((next.as_ptr(), next.as_str()), (place, ""));
    }

    #[test]
    fn neither_many_nor_large_buffers_are_kept() {
        let pages: Vec<_> = (0..100).map(|_| into_bytes(take())).collect();
        drop(pages);
        assert_eq!(SPARE.with_borrow(Vec::len), MOST);
        SPARE.with_borrow_mut(Vec::clear);
        drop(into_bytes("x".repeat(LARGEST + 1)));
        assert!(SPARE.with_borrow(Vec::is_empty));
    }
}
