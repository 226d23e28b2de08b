use super::super::{ATTEMPTS, MEMBER_NOT_FOUND, Member, caller, events, session, too_busy};
use super::remove::take_out_in;
use super::{View, with_user};
use crate::{Api, Commit, Endpoint, Field, Reply, Result, SecurityEventKind};

/// `POST /organization/leave`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/leave", |api| Box::pin(answer(api)))
        .about("Takes whoever is signed in out of an organisation. The last owner stays.")
        .takes([Field::text("organizationId")])
        .answers(View::shape())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = body.text("organizationId");
    body.finish()?;
    let member = leave_organization(api, &id).await?;
    let member = with_user(api, member).await?.ok_or_else(|| MEMBER_NOT_FOUND.bad_request())?;
    Reply::json(&View::of(api, &member)?)
}

/// Takes whoever is signed in out of an organisation. The last owner stays.
// spec: ORG-2 ORG-3
pub async fn leave_organization(api: &mut Api, id: &str) -> Result<Member> {
    let signed_in = caller::signed_in(api).await?;
    for _ in 0..ATTEMPTS {
        let own = Member::of(api, id, &signed_in.user.id).await?;
        let own = own.ok_or_else(|| MEMBER_NOT_FOUND.bad_request())?;
        let mut changes = api.changes();
        take_out_in(api, &mut changes, &own).await?;
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        session::forgotten(api, &signed_in, id, &signed_in.user.id).await?;
        let kind = SecurityEventKind::MemberRemoved;
        api.emit(events::event(api, kind, &signed_in.user.id, id, None)).await;
        return Ok(own);
    }
    Err(too_busy())
}
