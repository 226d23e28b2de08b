use serde::Serialize;

use super::row::ApiKey;
use super::{ApiKeyOptions, OwnerKind, owner};
use crate::plugins::listing::visible;
use crate::storage::{Comparison, Condition, Direction, Filter, Find};
use crate::{Api, Endpoint, Field, Reader, Reply, Result, Shape};

/// `GET /api-key/list`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/api-key/list", |api| Box::pin(answer(api)))
        .about("The API keys of whoever is signed in, or of an organisation of theirs, without the keys themselves.")
        .takes([
            Field::text("configId").optional().about("Only this kind of key."),
            Field::text("organizationId").optional(),
            Field::integer("limit").optional(),
            Field::integer("offset").optional(),
            Field::text("sortBy").optional().example("createdAt"),
            Field::choice("sortDirection", ["asc", "desc"]).optional(),
        ])
        .answers(Shape::object([
            Field::list("apiKeys", ApiKey::shape(None)),
            Field::integer("total"),
            Field::integer("limit").optional(),
            Field::integer("offset").optional(),
        ]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        #[serde(rename = "apiKeys")]
        api_keys: &'a [ApiKey],
        total: u64,
        #[serde(skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        offset: Option<u32>,
    }

    let mut query = api.request().read_query();
    let (config_id, organization_id) =
        (query.optional_text("configId"), query.optional_text("organizationId"));
    let (limit, offset) = (read_number(&mut query, "limit"), read_number(&mut query, "offset"));
    let sort_by = query.optional_text("sortBy");
    let descending = query.optional_choice("sortDirection", &["asc", "desc"]) == Some("desc");
    query.finish()?;
    let asked =
        KeyQuery { config_id, organization_id, sort_by, descending, limit, offset: offset.unwrap_or(0) };
    let KeyPage { api_keys, total } = list(api, &asked).await?;
    Reply::json(&Body { api_keys: &api_keys, total, limit, offset })
}

/// Which keys, in which order, and which part of them.
#[derive(Clone, Debug, Default)]
pub struct KeyQuery {
    /// Only this kind.
    pub config_id: Option<String>,
    /// Those of this organisation. Unset: those of whoever is signed in.
    pub organization_id: Option<String>,
    /// The field to sort by; `createdAt` when unset.
    pub sort_by: Option<String>,
    pub descending: bool,
    /// How many at most; all when unset.
    pub limit: Option<u32>,
    pub offset: u32,
}

/// Some keys, and how many there are in all.
#[derive(Clone, Debug, Default)]
pub struct KeyPage {
    pub api_keys: Vec<ApiKey>,
    pub total: u64,
}

/// The keys of whoever is signed in, or of an organisation of theirs whose keys they may see.
pub async fn list(api: &mut Api, query: &KeyQuery) -> Result<KeyPage> {
    let signed_in = api.require_session().await?;
    let options = super::options(api)?;
    let organization = query.organization_id.as_deref().filter(|id| !id.is_empty());
    let (kind, reference_id) = match organization {
        Some(id) => {
            owner::require_in_organization(api, &signed_in.user.id, id, "read").await?;
            (OwnerKind::Organization, id)
        }
        None => (OwnerKind::User, signed_in.user.id.as_str()),
    };
    let table = api.table("apikey")?;
    let filter = theirs(&options, kind, reference_id, query.config_id.as_deref());
    let column = visible(table, query.sort_by.as_deref().unwrap_or("createdAt"), "sortBy")?;
    let direction = if query.descending { Direction::Descending } else { Direction::Ascending };
    let mut find = Find::new(filter.clone()).order(column.field.clone(), direction).offset(query.offset);
    if column.field != "id" {
        find = find.then_by("id");
    }
    find.limit = query.limit;
    let api_keys = match query.limit {
        Some(0) => Vec::new(),
        _ => {
            let rows = api.storage().find(table, &find).await?;
            rows.into_iter().map(ApiKey::from_record).collect::<Result<_>>()?
        }
    };
    let total = api.storage().count(table, &filter).await?;
    Ok(KeyPage { api_keys, total })
}

/// How many keys somebody has. Server code only: nobody is asked whether they may know.
pub async fn count(api: &Api, whom: super::KeyFor<'_>) -> Result<u64> {
    let (kind, id) = match whom {
        super::KeyFor::User(id) => (OwnerKind::User, id),
        super::KeyFor::Organization(id) => (OwnerKind::Organization, id),
    };
    let options = super::options(api)?;
    let filter = theirs(&options, kind, id, None);
    Ok(api.storage().count(api.table("apikey")?, &filter).await?)
}

/// The keys of an owner: the same id may be that of a user and of an organisation, so the kind of key decides.
fn theirs(options: &ApiKeyOptions, kind: OwnerKind, id: &str, config_id: Option<&str>) -> Filter {
    let kinds = options.of_kind(kind).map(|config| config.config_id.as_str());
    let kinds = kinds.filter(|id| config_id.is_none_or(|wanted| wanted.is_empty() || wanted == *id));
    let kinds = kinds.map(|id| Condition::new("configId", Comparison::Equal, id));
    Filter::by("referenceId", id).and_any(kinds)
}

/// A whole number that is not negative.
fn read_number(query: &mut Reader<'_>, field: &str) -> Option<u32> {
    let text = query.all().get(field)?.as_str()?.trim().to_owned();
    let wrong = match text.parse::<f64>() {
        _ if text.is_empty() => return Some(0),
        Ok(number) if number.fract() != 0.0 => "Invalid input: expected int, received number",
        Ok(number) if number < 0.0 => "Too small: expected number to be >=0",
        Ok(number) => return Some(number.to_string().parse().unwrap_or(u32::MAX)),
        Err(_) => "Invalid input: expected number, received NaN",
    };
    query.add_error(field, wrong);
    None
}
