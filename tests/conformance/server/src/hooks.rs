use housekey_engine::plugins::organization::{
    InvitationHook, MemberHook, OrganizationHook, OrganizationHooks, TeamHook, TeamMemberHook,
};
use housekey_engine::{Callback, Record};
use serde_json::{Value, json};

use crate::postbox::Postbox;

/// Hooks that write down when they are called, and by whom and for what.
pub(crate) fn hooks(postbox: &Postbox) -> OrganizationHooks {
    macro_rules! noting {
        ($($before:ident = $before_kind:literal, $after:ident = $after_kind:literal;)*) => {
            OrganizationHooks {
                $($before: before(postbox, $before_kind), $after: after(postbox, $after_kind),)*
            }
        };
    }
    noting! {
        before_create_organization = "beforeCreateOrganization", after_create_organization = "afterCreateOrganization";
        before_update_organization = "beforeUpdateOrganization", after_update_organization = "afterUpdateOrganization";
        before_delete_organization = "beforeDeleteOrganization", after_delete_organization = "afterDeleteOrganization";
        before_add_member = "beforeAddMember", after_add_member = "afterAddMember";
        before_remove_member = "beforeRemoveMember", after_remove_member = "afterRemoveMember";
        before_update_member_role = "beforeUpdateMemberRole", after_update_member_role = "afterUpdateMemberRole";
        before_create_invitation = "beforeCreateInvitation", after_create_invitation = "afterCreateInvitation";
        before_accept_invitation = "beforeAcceptInvitation", after_accept_invitation = "afterAcceptInvitation";
        before_reject_invitation = "beforeRejectInvitation", after_reject_invitation = "afterRejectInvitation";
        before_cancel_invitation = "beforeCancelInvitation", after_cancel_invitation = "afterCancelInvitation";
        before_create_team = "beforeCreateTeam", after_create_team = "afterCreateTeam";
        before_update_team = "beforeUpdateTeam", after_update_team = "afterUpdateTeam";
        before_delete_team = "beforeDeleteTeam", after_delete_team = "afterDeleteTeam";
        before_add_team_member = "beforeAddTeamMember", after_add_team_member = "afterAddTeamMember";
        before_remove_team_member = "beforeRemoveTeamMember", after_remove_team_member = "afterRemoveTeamMember";
    }
}

fn before<H: Told + 'static>(postbox: &Postbox, kind: &'static str) -> Callback<H, Option<Record>> {
    let postbox = postbox.clone();
    Callback::new(move |hook: H| {
        postbox.put(hook.describe(kind));
        async { Ok::<_, std::convert::Infallible>(None) }
    })
}

fn after<H: Told + 'static>(postbox: &Postbox, kind: &'static str) -> Callback<H> {
    let postbox = postbox.clone();
    Callback::new(move |hook: H| {
        postbox.put(hook.describe(kind));
        async { Ok::<_, std::convert::Infallible>(()) }
    })
}

/// What a hook is told, in a few words.
trait Told {
    fn describe(&self, kind: &str) -> Value;
}

impl Told for OrganizationHook {
    fn describe(&self, kind: &str) -> Value {
        json!({ "kind": kind, "organization": self.organization.name, "user": self.user.email })
    }
}

impl Told for MemberHook {
    fn describe(&self, kind: &str) -> Value {
        json!({ "kind": kind, "organization": self.organization.name, "user": self.user.email })
    }
}

impl Told for InvitationHook {
    fn describe(&self, kind: &str) -> Value {
        json!({ "kind": kind, "organization": self.organization.name, "user": self.user.email })
    }
}

impl Told for TeamHook {
    fn describe(&self, kind: &str) -> Value {
        let mut told =
            json!({ "kind": kind, "organization": self.organization.name, "team": self.team.name });
        if let Some(user) = &self.user {
            told["user"] = user.email.clone().into();
        }
        told
    }
}

impl Told for TeamMemberHook {
    fn describe(&self, kind: &str) -> Value {
        json!({
            "kind": kind, "organization": self.organization.name, "team": self.team.name, "user": self.user.email,
        })
    }
}
