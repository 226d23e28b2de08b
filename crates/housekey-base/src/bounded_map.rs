use std::borrow::Borrow;
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// A map with room for so many entries. When it is full, a new one takes the place of the oldest: whoever can make up keys
/// cannot fill the memory.
///
/// ```
/// let mut colors = housekey_base::BoundedMap::new(2);
/// for (name, color) in [("sky", "blue"), ("grass", "green"), ("snow", "white")] {
///     colors.insert(name, color);
/// }
/// assert_eq!(colors.get("sky"), None);
/// assert_eq!(colors.get("snow"), Some(&"white"));
/// ```
#[derive(Debug)]
pub struct BoundedMap<K, V> {
    most: usize,
    entries: HashMap<K, V>,
    oldest_first: VecDeque<K>,
}

impl<K: Clone + Eq + Hash, V> BoundedMap<K, V> {
    /// # Panics
    /// Without room for a single entry.
    pub fn new(most: usize) -> Self {
        assert!(most > 0, "a map without room");
        Self { most, entries: HashMap::new(), oldest_first: VecDeque::new() }
    }

    pub fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        self.entries.get(key)
    }

    /// Puts a value in. One that takes the place of another under the same key is as old as that one.
    pub fn insert(&mut self, key: K, value: V) {
        if self.entries.insert(key.clone(), value).is_some() {
            return;
        }
        self.oldest_first.push_back(key);
        if self.entries.len() > self.most
            && let Some(oldest) = self.oldest_first.pop_front()
        {
            self.entries.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_never_holds_more_than_it_has_room_for_and_forgets_the_oldest() {
        let mut map = BoundedMap::new(3);
        for number in 0..100 {
            map.insert(number, "first");
            map.insert(number, "second");
            assert!(map.entries.len() <= 3 && map.oldest_first.len() <= 3);
        }
        assert_eq!(
            [96, 97, 99].map(|number| map.get(&number).copied()),
            [None, Some("second"), Some("second")]
        );
    }
}
