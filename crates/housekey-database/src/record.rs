use std::borrow::Cow;

use crate::Value;

/// Column names with their values: what is inserted or updated. Made with [`record!`](crate::record).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record(Vec<(Cow<'static, str>, Value)>);

impl Record {
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a column, replacing an earlier value.
    pub fn set(&mut self, column: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> &mut Self {
        let column = column.into();
        let value = value.into();
        match self.0.iter_mut().find(|(name, _)| *name == column) {
            Some(slot) => slot.1 = value,
            None => self.0.push((column, value)),
        }
        self
    }

    /// Like [`Record::set`], for a chain.
    pub fn with(mut self, column: impl Into<Cow<'static, str>>, value: impl Into<Value>) -> Self {
        self.set(column, value);
        self
    }

    pub fn get(&self, column: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name == column).map(|(_, value)| value)
    }

    pub fn remove(&mut self, column: &str) -> Option<Value> {
        let at = self.0.iter().position(|(name, _)| name == column)?;
        Some(self.0.remove(at).1)
    }

    /// This record with the columns of another over its own.
    pub fn merge(mut self, over: Self) -> Self {
        for (column, value) in over.0 {
            self.set(column, value);
        }
        self
    }

    /// The columns, in order.
    pub fn columns(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Leaves out the columns that another record has with the same value.
    pub(crate) fn without_equal(&mut self, other: &Self) {
        self.0.retain(|(name, value)| other.get(name) != Some(value));
    }

    /// The columns that another record has, too.
    pub(crate) fn only(mut self, other: &Self) -> Self {
        self.0.retain(|(name, _)| other.get(name).is_some());
        self
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn into_pairs(self) -> impl Iterator<Item = (Cow<'static, str>, Value)> {
        self.0.into_iter()
    }
}

impl<K: Into<Cow<'static, str>>, V: Into<Value>> FromIterator<(K, V)> for Record {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(pairs: I) -> Self {
        let mut record = Self::new();
        for (column, value) in pairs {
            record.set(column, value);
        }
        record
    }
}

/// Columns and their values.
///
/// ```
/// use housekey_database::{Value, record};
///
/// let post = record! { "title" => "Hello", "views" => 0, "deletedAt" => None::<String> };
/// assert_eq!(post.get("deletedAt"), Some(&Value::Null));
/// ```
#[macro_export]
macro_rules! record {
    () => { $crate::Record::new() };
    ($($column:expr => $value:expr),+ $(,)?) => {
        $crate::Record::new()$(.with($column, $value))+
    };
    ($($other:tt)*) => {
        ::core::compile_error!("a record is columns with their values, each after an arrow: `record! { Post::title => \"Hello\" }`")
    };
}
