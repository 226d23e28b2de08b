use std::collections::BTreeMap;
use std::error::Error;

use housekey_engine::access::{AccessControl, Statements};
use housekey_engine::options::{AdditionalFields, ModelNames, TableNames};
use housekey_engine::plugins::organization::{
    Allowed, DynamicRoles, Limit, OrganizationOptions, TeamOptions, default_access, default_statements,
};
use serde::Deserialize;

use crate::hooks::hooks;
use crate::postbox::Postbox;

/// The plugin's options, as far as JSON can say them.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Organization {
    ac: Option<Ac>,
    organization_limit: Option<u32>,
    membership_limit: Option<u32>,
    invitation_limit: Option<u32>,
    invitation_expires_in: Option<u32>,
    cancel_pending_invitations_on_re_invite: bool,
    require_email_verification_on_invitation: Option<bool>,
    creator_role: Option<String>,
    allow_user_to_create_organization: Option<bool>,
    disable_organization_deletion: bool,
    teams: Teams,
    dynamic_access_control: DynamicAccessControl,
    schema: BTreeMap<String, Table>,
}

/// An access control of the app's own.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Ac {
    /// What there is besides the usual.
    statements: Statements,
    /// What each role allows; unset, the usual ones.
    roles: Option<BTreeMap<String, Statements>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Teams {
    enabled: bool,
    maximum_teams: Option<u32>,
    maximum_members_per_team: Option<u32>,
    allow_removing_all_teams: bool,
    default_team: Option<Enabled>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Enabled {
    enabled: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct DynamicAccessControl {
    enabled: bool,
    maximum_roles_per_organization: Option<u32>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct Table {
    model_name: Option<String>,
    fields: BTreeMap<String, String>,
    additional_fields: AdditionalFields,
}

impl Organization {
    /// The options, with the callbacks among these names that are theirs.
    pub(crate) fn options(
        self,
        callbacks: &[String],
        postbox: &Postbox,
    ) -> Result<OrganizationOptions, Box<dyn Error>> {
        let usual = OrganizationOptions::default();
        let (schema, additional_fields) = split(self.schema);
        let mut options = OrganizationOptions {
            access: self.ac.map(Ac::control).transpose()?,
            organization_limit: self.organization_limit.map_or(usual.organization_limit, Limit::Number),
            membership_limit: self.membership_limit.map_or(usual.membership_limit, Limit::Number),
            invitation_limit: self.invitation_limit.map_or(usual.invitation_limit, Limit::Number),
            invitation_expires_in: self.invitation_expires_in.unwrap_or(usual.invitation_expires_in),
            cancel_pending_invitations_on_re_invite: self.cancel_pending_invitations_on_re_invite,
            require_email_verification_on_invitation: self.require_email_verification_on_invitation,
            creator_role: self.creator_role.unwrap_or(usual.creator_role),
            allow_user_to_create_organization: match self.allow_user_to_create_organization {
                Some(false) => Allowed::Nobody,
                _ => Allowed::Everybody,
            },
            disable_organization_deletion: self.disable_organization_deletion,
            teams: self.teams.options(),
            dynamic_roles: self.dynamic_access_control.options(),
            schema,
            additional_fields,
            ..OrganizationOptions::default()
        };
        for name in callbacks {
            match name.as_str() {
                "sendInvitationEmail" => options.send_invitation = postbox.invitations("sendInvitationEmail"),
                "organizationHooks" => options.hooks = hooks(postbox),
                _ => {}
            }
        }
        Ok(options)
    }
}

impl Ac {
    fn control(self) -> Result<AccessControl, Box<dyn Error>> {
        let mut statements = default_statements();
        for (resource, actions) in self.statements.iter() {
            statements.set(resource.into(), actions.to_vec());
        }
        let mut access = AccessControl::new(statements);
        let usual = default_access();
        let roles = self.roles.unwrap_or_else(|| {
            let allowed = |name: &str| usual.find(name).map(|role| role.statements().clone());
            usual.names().filter_map(|name| Some((name.to_owned(), allowed(name)?))).collect()
        });
        for (name, allowed) in roles {
            access = access.role(name, allowed)?;
        }
        Ok(access)
    }
}

impl Teams {
    fn options(self) -> Option<TeamOptions> {
        self.enabled.then(|| TeamOptions {
            maximum_teams: self.maximum_teams.map_or(Limit::None, Limit::Number),
            maximum_members_per_team: self.maximum_members_per_team.map_or(Limit::None, Limit::Number),
            allow_removing_all_teams: self.allow_removing_all_teams,
            default_team: self.default_team.is_none_or(|team| team.enabled),
        })
    }
}

impl DynamicAccessControl {
    fn options(self) -> Option<DynamicRoles> {
        let maximum = self.maximum_roles_per_organization.map_or(Limit::None, Limit::Number);
        self.enabled.then(|| DynamicRoles { maximum_roles_per_organization: maximum })
    }
}

/// Names and columns are one thing in the reference and two in ours.
fn split(schema: BTreeMap<String, Table>) -> (ModelNames, BTreeMap<String, AdditionalFields>) {
    let tables = schema.into_iter().map(|(name, table)| {
        let Table { model_name, fields, additional_fields } = table;
        ((name.clone(), TableNames { model_name, fields }), (name, additional_fields))
    });
    tables.unzip()
}
