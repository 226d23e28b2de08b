use housekey::prelude::*;

use crate::controllers::organizations::roles::role_name;
use crate::controllers::organizations::standing::Standing;
use crate::views::components::{
    Actions, Alert, Badge, Button, Card, ConfirmedForm, Form, Icon, Kind, Moment, RoleChoice, RoleOption,
    TextArea, Tone, When,
};
use crate::views::layouts::{Member, Organization, OrganizationTab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct Invitations {
    /// Who is signed in.
    pub member: Member,
    /// Where they stand.
    pub standing: Standing,
    /// The roles that they may give.
    pub roles: Vec<RoleOption>,
    /// Those that wait for an answer.
    pub rows: Vec<InvitationRow>,
}

/// An invitation that waits for an answer.
#[derive(Clone, Debug, Default)]
pub struct InvitationRow {
    pub id: String,
    pub email: String,
    /// The name of the role.
    pub role: String,
    pub expires: Moment,
    pub is_expired: bool,
    /// To be sent by other means.
    pub link: String,
}

/// `GET /settings/organization/invitations`
pub fn invitations(props: &Invitations) -> impl Renderable {
    rsx! {
        <Organization
            tab=(OrganizationTab::Invitations)
            member=(&props.member)
            name=(&props.standing.name)
            fields=(&["emails"])
        >
            @if props.standing.may_invite {
                (invite(props))
                (waiting(props))
            } @else {
                <Card title=(&t("Invite people")) text="">
                    <Alert kind=(Kind::Info) text=(&t!("You are here as :role. Owners and admins invite people.", role = role_name(&props.standing.role))) ../>
                </Card>
            }
        </Organization>
    }
}

fn invite(props: &Invitations) -> impl Renderable + use<'_> {
    rsx! {
        <Card
            title=(&t("Invite people"))
            text=(&t("Each gets a mail with a link. Whoever has no account yet makes one on the same page."))
        >
            <Form action=(&props.standing.action("settings.organization.invitations.store", None)) method="POST">
                <TextArea
                    name="emails"
                    label=(&t("E-mail addresses"))
                    hint=(&t("Up to 20 at once, with commas, spaces or lines between them."))
                    rows=3
                    maxlength=(Some(4000))
                    required=true
                    verbatim=true
                    ..
                />
                <div class="grid gap-2">
                    <div class="max-w-xs">
                        <RoleChoice
                            id="role"
                            label=(&t("Role"))
                            roles=(&props.roles)
                            chosen=(&old_or("role", "member"))
                            described_by=(Some("roles"))
                            ..
                        />
                    </div>
                    <ul id="roles" class="grid gap-1 text-sm text-muted">
                        @for role in &props.roles {
                            <li><strong class="font-semibold text-ink">(&role.name)</strong> " · " (&role.text)</li>
                        }
                    </ul>
                </div>
                <Actions><Button label=(&t("Send invitations")) icon=(Some(Icon::Mail)) ../></Actions>
            </Form>
        </Card>
    }
}

fn waiting(props: &Invitations) -> impl Renderable + use<'_> {
    rsx! {
        <Card
            title=(&t("Waiting for an answer"))
            text=(&t("Send the link by other means if a mail got lost."))
        >
            @if props.rows.is_empty() {
                <p class="rounded-control bg-sunken px-4 py-6 text-center text-[0.9375rem]">(t("Nobody is invited right now."))</p>
            } @else {
                <ul aria-label=(t("Invitations")) class="divide-y divide-line">
                    @for row in &props.rows { (invitation_row(row, &props.standing)) }
                </ul>
            }
        </Card>
    }
}

fn invitation_row<'a>(row: &'a InvitationRow, standing: &Standing) -> impl Renderable + use<'a> {
    let email = &row.email;
    let cancel = standing.action("settings.organization.invitations.destroy", Some(&row.id));
    let resend = standing.action("settings.organization.invitations.resend", Some(&row.id));
    let may_cancel = standing.may_cancel_invitations;
    rsx! {
        <li class="grid gap-3 py-5 first:pt-0 last:pb-0">
            <div class="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
                <div class="min-w-40 grow basis-0">
                    <p class="font-semibold [overflow-wrap:anywhere]">(email)</p>
                    <p class="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1 text-sm text-muted">
                        <span>(&row.role)</span>
                        @if row.is_expired {
                            <Badge kind=(Kind::Warning) text=(&t("Has run out"))/>
                        } @else {
                            <span>"· " (t("runs out")) " " <When moment=(&row.expires)/></span>
                        }
                    </p>
                </div>
                <div class="flex flex-wrap gap-2">
                    <Form action=(&resend) method="POST">
                        <div>
                            <Button
                                label=(&t("Send again"))
                                aria_label=(Some(&t!("Send again to :email", email)))
                                tone=(Tone::Quiet)
                                small=true
                                ..
                            />
                        </div>
                    </Form>
                    @if may_cancel {
                        <ConfirmedForm
                            id=(&format!("revoke-{}", row.id))
                            action=(&cancel)
                            method="DELETE"
                            label=(&t("Revoke"))
                            aria_label=(Some(&t!("Revoke the invitation to :email", email)))
                            tone=(Tone::Quiet)
                            small=true
                            title=(&t("Take this invitation back?"))
                            text=(&t!("The link that :email got does nothing any more.", email))
                            ..
                        />
                    }
                </div>
            </div>
            @if !row.is_expired { (link(row)) }
        </li>
    }
}

fn link(row: &InvitationRow) -> impl Renderable + use<'_> {
    rsx! {
        <details class="group">
            <summary class="inline-flex items-center gap-1.5 rounded-sm text-sm font-medium text-link select-none">
                <span class="transition-transform group-open:rotate-90">(Icon::ChevronRight)</span>
                (t("Link")) <span class="sr-only">" " (t!("for :email", email = row.email))</span>
            </summary>
            <div class="mt-2 flex flex-wrap items-center gap-3">
                <code class="min-w-0 rounded-control bg-sunken px-3 py-2 font-mono text-[0.8125rem] select-all [overflow-wrap:anywhere]" data-copy-source>(&row.link)</code>
                <Button
                    label=(&t("Copy"))
                    aria_label=(Some(&t!("Copy the link for :email", email = row.email)))
                    icon=(Some(Icon::Copy))
                    tone=(Tone::Quiet)
                    small=true
                    action=(Some("copy"))
                    ..
                />
                <p role="status" class="text-sm font-medium text-success" data-copied=(t("Copied."))></p>
            </div>
        </details>
    }
}
