use housekey::prelude::*;

use crate::views::components::ApiKeys;
use crate::views::layouts::{Member, Settings, Tab};

/// What the page wants to know. It carries a key that was just made: answer it with `cache-control: no-store`.
#[derive(Clone, Debug, Default)]
pub struct ApiKeySettings {
    /// Who is signed in.
    pub member: Member,
    pub keys: ApiKeys,
}

/// `GET /settings/api-keys`
pub fn api_keys(props: &ApiKeySettings) -> impl Renderable {
    let about = t("With a key, sent in the header x-api-key, a program acts for you without your password.");
    rsx! {
        <Settings tab=(Tab::ApiKeys) member=(&props.member) fields=(&["name", "lifetime"])>
            (props.keys.fresh_key())
            (props.keys.list(&t("Your API keys"), &about))
            (props.keys.form())
        </Settings>
    }
}
