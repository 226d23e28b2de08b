use super::{Organization, session};
use crate::storage::Filter;
use crate::{Api, Result, SignedIn};

/// Which organisation is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrganizationRef<'a> {
    /// The one that the session is in.
    Active,
    Id(&'a str),
    Slug(&'a str),
}

impl<'a> OrganizationRef<'a> {
    /// What a request names; the slug decides where both are there, and an empty text is none.
    pub(super) fn named(id: Option<&'a str>, slug: Option<&'a str>) -> Self {
        let given = |text: Option<&'a str>| text.filter(|text| !text.is_empty());
        match (given(id), given(slug)) {
            (_, Some(slug)) => Self::Slug(slug),
            (Some(id), None) => Self::Id(id),
            (None, None) => Self::Active,
        }
    }

    /// The organisation, if there is such a one. `None` as well when none is active.
    pub(super) async fn find(self, api: &Api, signed_in: &SignedIn) -> Result<Option<Organization>> {
        match self {
            Self::Slug(slug) => Organization::with_slug(api, slug).await,
            Self::Id(id) => Organization::with_id(api, id).await,
            Self::Active => match session::active_organization(signed_in) {
                Some(id) => Organization::with_id(api, id).await,
                None => Ok(None),
            },
        }
    }

    /// The id of the organisation. One that was given by its id need not exist.
    pub(super) async fn id(self, api: &Api, signed_in: &SignedIn) -> Result<Option<String>> {
        match self {
            Self::Id(id) => Ok(Some(id.to_owned())),
            Self::Active => Ok(session::active_organization(signed_in).map(str::to_owned)),
            Self::Slug(slug) => {
                let row =
                    api.storage().find_one(api.table("organization")?, &Filter::by("slug", slug)).await?;
                Ok(row.and_then(|row| row.text("id").map(str::to_owned)))
            }
        }
    }
}
