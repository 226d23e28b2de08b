use housekey::auth::organization;
use housekey::axum::extract::Query;
use housekey::prelude::*;
use serde::Deserialize;

/// `same-organization`: for forms about an organisation, behind `member`. A page names the one it was drawn for in the address of
/// its forms: `?organization=<id>`. Whoever has gone to another one since, in another window, is told so; else the form would act
/// there. A request that names none is about the active one.
// spec: ORG-4
pub async fn same_organization(request: Request, next: Next) -> Result<Response> {
    let named = Query::<Named>::try_from_uri(request.uri()).ok().and_then(|Query(named)| named.organization);
    if let (Some(named), Some(active)) = (named, organization())
        && named != active.id()
    {
        let name = active.name();
        let message = t!(
            "This page was about another organization: by now you are in :name. Nothing was changed. To go on there, switch back first.",
            name
        );
        return Err(Error::new(StatusCode::CONFLICT, message).with_code("OTHER_ORGANIZATION"));
    }
    Ok(next.run(request).await)
}

#[derive(Deserialize)]
struct Named {
    organization: Option<String>,
}
