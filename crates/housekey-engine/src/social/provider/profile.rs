use serde_json::{Map, Value};

use super::{Provider, ProviderSpec};
use crate::http_client::{HttpClient, HttpRequest};
use crate::social::{SocialError, TokenSet};

/// Who the provider says this is, in our words.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProfileUser {
    /// The person's id at the provider. It never changes, unlike an address.
    pub id: String,
    /// The id under which an earlier version of the reference stored this person (Microsoft's `sub`, before `oid`). A row
    /// with it is found, and re-keyed.
    pub former_id: Option<String>,
    pub name: Option<String>,
    pub email: Option<String>,
    /// The address of a picture.
    pub image: Option<String>,
    /// Whether the provider has proved the address. `false` where it does not say.
    pub email_verified: bool,
    /// Columns of one's own, from `mapProfileToUser`.
    pub extra: Map<String, Value>,
}

/// A person's profile: in our words, and as the provider wrote it.
#[derive(Clone, Debug, Default)]
pub struct Profile {
    pub user: ProfileUser,
    /// As it came: what `account-info` shows and `mapProfileToUser` reads.
    pub data: Value,
}

/// What a function that fetches a profile has at hand.
#[derive(Clone, Copy)]
pub struct ProfileCall<'a> {
    pub client: &'a dyn HttpClient,
    pub provider: &'a Provider,
    pub spec: &'a ProviderSpec,
    pub tokens: &'a TokenSet,
    /// The claims of the id token, its signature verified where the provider has keys. `None` when there was no id token, or
    /// it is opaque.
    pub claims: Option<&'a Value>,
    /// The form field `user` of the callback (Apple, JSON, at the first sign-in only), or the `user` of an id-token sign-in,
    /// as JSON.
    pub form_user: Option<&'a Value>,
}

impl ProfileCall<'_> {
    /// GET with the access token as bearer, for a JSON answer.
    pub async fn get(&self, url: &str) -> Result<Value, SocialError> {
        self.send(self.request(url)?).await
    }

    /// The request that [`get`](Self::get) sends, to add a header to.
    pub fn request(&self, url: &str) -> Result<HttpRequest, SocialError> {
        let Some(token) = &self.tokens.access_token else {
            return Err(SocialError::profile("there is no access token to ask for the profile with"));
        };
        Ok(HttpRequest::get(url).bearer(token))
    }

    /// Sends a request; an answer that is no success or no JSON is an error.
    pub async fn send(&self, request: HttpRequest) -> Result<Value, SocialError> {
        let response = self.client.send(request).await?;
        if !response.status.is_success() {
            return Err(SocialError::answered("the profile", response.status));
        }
        Ok(response.json()?)
    }
}

impl Profile {
    /// A profile that was mapped.
    pub fn new(user: ProfileUser, data: Value) -> Self {
        Self { user, data }
    }
}

/// Reads a profile by the names of its fields: what most providers need.
///
/// ```
/// use housekey_engine::social::ProfileUser;
/// use serde_json::json;
///
/// let profile = json!({ "id": 7, "login": "ada", "name": null, "avatar": "https://example.com/ada.png" });
/// let user = ProfileUser::read(&profile, "id")
///     .unwrap()
///     .name(&profile, &["name", "login"])
///     .image(&profile, "avatar");
/// assert_eq!((user.id.as_str(), user.name.as_deref()), ("7", Some("ada")));
/// ```
impl ProfileUser {
    /// A user with the id at this field, a text or a number. `None` when there is none. A field may be a path: `data.id`.
    pub fn read(profile: &Value, id: &str) -> Option<Self> {
        let id = match field(profile, id)? {
            Value::String(text) if !text.is_empty() => text.clone(),
            Value::Number(number) => number.to_string(),
            _ => return None,
        };
        Some(Self { id, ..Self::default() })
    }

    /// With the first of these fields that is a text and not empty as its name.
    #[must_use]
    pub fn name(self, profile: &Value, fields: &[&str]) -> Self {
        Self { name: fields.iter().find_map(|name| text(profile, name)), ..self }
    }

    /// With this field as the address.
    #[must_use]
    pub fn email(self, profile: &Value, name: &str) -> Self {
        Self { email: text(profile, name), ..self }
    }

    /// With this field as the picture.
    #[must_use]
    pub fn image(self, profile: &Value, name: &str) -> Self {
        Self { image: text(profile, name), ..self }
    }

    /// With this field as whether the address is proved: `true`, or the text `"true"`, which some send.
    #[must_use]
    pub fn verified(self, profile: &Value, name: &str) -> Self {
        Self { email_verified: is_true(field(profile, name)), ..self }
    }
}

/// A field, by a path with dots. A field whose own name has dots, such as `https://slack.com/user_id`, is found too.
pub(crate) fn field<'a>(profile: &'a Value, path: &str) -> Option<&'a Value> {
    if let Some(value) = profile.get(path) {
        return Some(value);
    }
    path.split('.').try_fold(profile, |value, name| value.get(name))
}

/// A field that is a text and not empty.
pub(crate) fn text(profile: &Value, path: &str) -> Option<String> {
    field(profile, path)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

fn is_true(value: Option<&Value>) -> bool {
    match value {
        Some(Value::Bool(yes)) => *yes,
        Some(Value::String(text)) => text == "true",
        _ => false,
    }
}
