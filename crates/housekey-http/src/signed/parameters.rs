use std::fmt::Display;

/// What fills the path and the query of an address: `[("id", 7)]`, a `Vec` or slice of such pairs, or `()` for nothing.
///
/// ```
/// use housekey_http::signed::UrlParameters;
///
/// assert_eq!([("id", 7)].into_pairs(), [("id".to_owned(), "7".to_owned())]);
/// assert!(().into_pairs().is_empty());
/// ```
pub trait UrlParameters {
    /// The pairs as text.
    fn into_pairs(self) -> Vec<(String, String)>;
}

impl UrlParameters for () {
    fn into_pairs(self) -> Vec<(String, String)> {
        Vec::new()
    }
}

impl<K: AsRef<str>, V: Display> UrlParameters for &[(K, V)] {
    fn into_pairs(self) -> Vec<(String, String)> {
        self.iter().map(|(name, value)| (name.as_ref().to_owned(), value.to_string())).collect()
    }
}

impl<K: AsRef<str>, V: Display, const N: usize> UrlParameters for &[(K, V); N] {
    fn into_pairs(self) -> Vec<(String, String)> {
        self.as_slice().into_pairs()
    }
}

impl<K: AsRef<str>, V: Display, const N: usize> UrlParameters for [(K, V); N] {
    fn into_pairs(self) -> Vec<(String, String)> {
        self.as_slice().into_pairs()
    }
}

impl<K: AsRef<str>, V: Display> UrlParameters for Vec<(K, V)> {
    fn into_pairs(self) -> Vec<(String, String)> {
        self.as_slice().into_pairs()
    }
}
