//! PostgreSQL carries words of less than 8000 bytes. What is longer goes in pieces, which come out in order, and with nothing of
//! another message between them as long as everybody plays by the rules.

use std::collections::VecDeque;

use housekey_core::{Error, Result, random};
use housekey_database::LONGEST_NOTIFICATION;

/// The longest piece, without what stands before it.
const LONGEST: usize = LONGEST_NOTIFICATION - 64;

/// How many messages can be half there. Anybody who may connect to the database can begin one.
const MOST: usize = 16;

/// How many pieces a message can have.
const MOST_PIECES: usize = 64;

/// `id index count text`, for each piece. The text is plain ASCII: it is sealed.
pub(super) fn cut(text: &str) -> Result<Vec<String>> {
    let (id, pieces) = (random::alphanumeric(12), text.as_bytes().chunks(LONGEST));
    let count = pieces.len();
    if count > MOST_PIECES {
        return Err(Error::internal(format!(
            "a message of {} bytes, sealed, is more than PostgreSQL should carry: say what changed and let clients fetch the \
             rest, or use Redis",
            text.len()
        )));
    }
    let name = |(index, piece)| format!("{id} {index} {count} {}", String::from_utf8_lossy(piece));
    Ok(pieces.enumerate().map(name).collect())
}

/// Messages that are half there.
#[derive(Default)]
pub(crate) struct Pieces(VecDeque<Half>);

struct Half {
    id: String,
    count: usize,
    next: usize,
    text: String,
}

impl Pieces {
    /// A message, if this was its last piece.
    pub(super) fn join(&mut self, piece: &str) -> Option<String> {
        let mut parts = piece.splitn(4, ' ');
        let (id, index, count, text) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        let (index, count) = (index.parse::<usize>().ok()?, count.parse::<usize>().ok()?);
        if count > MOST_PIECES {
            return None;
        }
        if index == 0 {
            if self.0.len() >= MOST {
                self.0.pop_front();
            }
            self.0.push_back(Half { id: id.to_owned(), count, next: 0, text: String::new() });
        }
        let at = self.0.iter().position(|half| half.id == id && half.count == count && half.next == index)?;
        let half = &mut self.0[at];
        half.text.push_str(text);
        half.next += 1;
        if half.next < half.count {
            return None;
        }
        self.0.remove(at).map(|half| half.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_cut_is_joined_and_garbage_is_not() {
        let text: String = (0..40_000).map(|number| char::from(b'a' + (number % 26) as u8)).collect();
        let cut = cut(&text).unwrap();
        assert!(cut.len() > 1 && cut.iter().all(|piece| piece.len() <= LONGEST_NOTIFICATION));
        let mut pieces = Pieces::default();
        for garbage in
            ["", "a", "a 0", "a 0 2 x", "a 7 2 x", "a 0 99999999999999999999 x", "a 0 1000 x", "b 1 2 x"]
        {
            assert_eq!(pieces.join(garbage), None, "{garbage}");
        }
        let joined: Vec<String> = cut.iter().filter_map(|piece| pieces.join(piece)).collect();
        assert_eq!(joined, [text]);
        assert_eq!(pieces.join("c 0 1 whole"), Some("whole".into()));
    }

    #[test]
    fn messages_that_are_never_finished_do_not_pile_up() {
        let mut pieces = Pieces::default();
        for number in 0..1_000 {
            pieces.join(&format!("{number} 0 2 half"));
        }
        assert_eq!(pieces.0.len(), MOST);
    }
}
