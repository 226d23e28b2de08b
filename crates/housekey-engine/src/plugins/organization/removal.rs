use super::members::owners;
use super::organizations::lock_name;
use super::{Member, teams};
use crate::storage::{Comparison, Filter, Find};
use crate::{Api, Changes, OptimisticLock, Result, User};

/// Before a user is deleted, by whom and in which way ever: the organisations that they own keep an owner. One in which there is
/// nobody else goes with them, unless organisations stay.
// spec: ORG-2
pub(super) async fn before_removal(api: &Api, changes: &mut Changes, user: &User) -> Result<()> {
    let options = super::options(api)?;
    OptimisticLock::forget_in(api, changes, &lock_name(&user.id)).await?;
    let find = Find::new(Filter::by("userId", &user.id));
    for row in api.storage().find(api.table("member")?, &find).await? {
        let member = Member::from_record(row)?;
        if options.is_owner(&member) {
            let others = Filter::by("organizationId", &member.organization_id).and(
                "userId",
                Comparison::NotEqual,
                &user.id,
            );
            if api.storage().count(api.table("member")?, &others).await? == 0 {
                if !options.disable_organization_deletion {
                    super::organizations::delete_in(api, changes, &member.organization_id).await?;
                }
                continue;
            }
            owners::keep_one_in(
                api,
                &options,
                changes,
                &member,
                super::YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER,
            )
            .await?;
        }
        teams::leave_in(api, changes, &member.organization_id, &user.id).await?;
    }
    Ok(())
}
