use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// A program has few shapes of queries; one that makes up names as it goes must not fill the memory.
const MOST: usize = 1000;

/// SQL text by the shape of its query. Building the text takes as long as all the rest of a read by key in our code,
/// and the same queries run over and over, with other values.
#[derive(Default)]
pub(crate) struct Texts(RwLock<HashMap<Shape, Arc<str>>>);

impl Texts {
    pub(crate) fn get(&self, shape: &Shape) -> Option<Arc<str>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).get(shape).cloned()
    }

    pub(crate) fn keep(&self, shape: Shape, text: Arc<str>) {
        let mut texts = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if texts.len() < MOST {
            texts.insert(shape, text);
        }
    }

    #[cfg(all(test, feature = "sqlite"))]
    pub(crate) fn len(&self) -> usize {
        self.0.read().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Everything about a query that shows in its text. Names carry their length, so that no name can pass for two.
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Shape(Vec<u8>);

impl Shape {
    pub(crate) fn new() -> Self {
        Self(Vec::with_capacity(256))
    }

    pub(crate) fn mark(&mut self, mark: u8) {
        self.0.push(mark);
    }

    pub(crate) fn count(&mut self, number: usize) {
        self.0.extend(number.to_le_bytes());
    }

    pub(crate) fn name(&mut self, name: &str) {
        self.count(name.len());
        self.0.extend(name.as_bytes());
    }
}
