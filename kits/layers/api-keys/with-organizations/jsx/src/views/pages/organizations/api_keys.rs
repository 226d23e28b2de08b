use housekey::prelude::*;

use crate::views::components::{Alert, ApiKeys, Card, Kind};
use crate::views::layouts::{Member, Organization, OrganizationTab};

/// What the page wants to know. It carries a key that was just made: answer it with `cache-control: no-store`.
#[derive(Clone, Debug, Default)]
pub struct OrganizationApiKeys {
    /// Who is signed in.
    pub member: Member,
    /// The name of the organisation.
    pub name: String,
    /// `None` for who may not see them.
    pub keys: Option<ApiKeys>,
}

/// `GET /settings/organization/api-keys`
pub fn api_keys(props: &OrganizationApiKeys) -> impl Renderable {
    let title = t("API keys of the organization");
    let about =
        t("With a key, sent in the header x-api-key, a program acts for the organization, whoever made it.");
    rsx! {
        <Organization
            tab=(OrganizationTab::ApiKeys)
            member=(&props.member)
            name=(&props.name)
            fields=(&["name", "lifetime"])
        >
            @if let Some(keys) = &props.keys {
                (keys.fresh_key())
                (keys.list(&title, &about))
                (keys.form())
            } @else {
                <Card title=(&title) text="">
                    <Alert kind=(Kind::Info) text=(&t("Owners look after the keys of the organization.")) ../>
                </Card>
            }
        </Organization>
    }
}
