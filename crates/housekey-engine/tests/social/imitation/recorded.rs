/// A request as a provider got it.
#[derive(Clone, Debug)]
pub(crate) struct Recorded {
    pub(crate) method: String,
    pub(crate) url: String,
    pub(crate) headers: http::HeaderMap,
    pub(crate) body: String,
}

impl Recorded {
    /// The address without its query.
    pub(crate) fn place(&self) -> &str {
        self.url.split('?').next().unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// A field of a form.
    pub(crate) fn form(&self, name: &str) -> Option<String> {
        let mut pairs = form_urlencoded::parse(self.body.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }

    /// The names of its fields in order.
    pub(crate) fn fields(&self) -> Vec<String> {
        form_urlencoded::parse(self.body.as_bytes()).map(|(key, _)| key.into_owned()).collect()
    }
}
