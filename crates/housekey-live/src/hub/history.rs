use std::collections::VecDeque;
use std::sync::Arc;

use housekey_core::random;

use crate::message::Message;

/// The last messages of all channels, in the order in which they were heard.
pub(super) struct History {
    most: usize,
    messages: VecDeque<Arc<Message>>,
    /// What came right before the first of them: a message that was forgotten, or nothing at all under a name of its own.
    before: String,
}

impl History {
    pub(super) fn new(most: usize) -> Self {
        Self { most, messages: VecDeque::new(), before: random::alphanumeric(16) }
    }

    /// Keeps a message; `false` if it is there already.
    pub(super) fn add(&mut self, message: Arc<Message>) -> bool {
        if self.before == message.id || self.messages.iter().any(|other| other.id == message.id) {
            return false;
        }
        self.messages.push_back(message);
        while self.messages.len() > self.most {
            if let Some(first) = self.messages.pop_front() {
                self.before.clone_from(&first.id);
            }
        }
        true
    }

    /// Nothing before now can be told for sure.
    pub(super) fn forget(&mut self) {
        *self = Self::new(self.most);
    }

    /// The name of now: everything that is heard later comes after it.
    pub(super) fn position(&self) -> &str {
        self.messages.back().map_or(&self.before, |last| &last.id)
    }

    /// What came after a position; `None` if that is not known any more.
    pub(super) fn since(&self, position: &str) -> Option<impl Iterator<Item = &Arc<Message>>> {
        let first = match self.before == position {
            true => 0,
            false => self.messages.iter().position(|message| message.id == position)? + 1,
        };
        Some(self.messages.range(first..))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(id: &str) -> Arc<Message> {
        Arc::new(Message::new(id.into(), "news".into(), "1"))
    }

    fn since(history: &History, position: &str) -> Option<Vec<String>> {
        Some(history.since(position)?.map(|message| message.id.clone()).collect())
    }

    #[test]
    fn everything_after_a_position_is_known_or_it_is_said_that_it_is_not() {
        let mut history = History::new(2);
        let start = history.position().to_owned();
        assert_eq!(since(&history, &start), Some(vec![]));
        assert!(history.add(message("a")) && !history.add(message("a")));
        assert_eq!(since(&history, &start), Some(vec!["a".into()]));
        history.add(message("b"));
        history.add(message("c"));
        assert_eq!(since(&history, &start), None, "`a` is forgotten");
        assert_eq!(since(&history, "a"), Some(vec!["b".into(), "c".into()]));
        assert_eq!(since(&history, "c"), Some(vec![]));
        assert_eq!(history.position(), "c");
        assert_eq!(since(&history, "guessed"), None);
        history.forget();
        assert_eq!(since(&history, "c"), None);
    }
}
