use housekey_core::{Error, Result};
use housekey_database::Model;
use housekey_http::bound_parameter;

/// The channel that somebody wants to hear.
#[derive(Clone, Debug)]
pub struct Channel {
    name: String,
    parameters: Vec<(String, String)>,
}

impl Channel {
    pub(super) fn new(name: &str, parameters: Vec<(String, String)>) -> Self {
        Self { name: name.to_owned(), parameters }
    }

    /// Its whole name: `books.1`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What stands for a parameter: `1` for `book` in `books.{book}`. Empty if there is no such parameter.
    pub fn param(&self, name: &str) -> &str {
        let found = self.parameters.iter().find(|(parameter, _)| parameter == name);
        found.map_or("", |(_, value)| value)
    }

    /// The row that the name means, as [`Bound`](housekey_http::Bound) finds it in an address: by the parameter with the model's
    /// name, or by the only one there is. One that is not there is a 404, and so is one that is another organisation's.
    pub async fn bound<M: Model>(&self) -> Result<M> {
        let name = bound_parameter::<M>();
        let found = self.parameters.iter().find(|(parameter, _)| *parameter == name);
        let ((Some((_, key)), _) | (None, [(_, key)])) = (found, &self.parameters[..]) else {
            return Err(Error::internal(format!(
                "the channel `{}` does not say which part of its name is the row: call the parameter `{{{name}}}`",
                self.name
            )));
        };
        let key = M::key_from_text(key).ok_or_else(Error::not_found)?;
        M::find_or_404(key).await
    }
}
