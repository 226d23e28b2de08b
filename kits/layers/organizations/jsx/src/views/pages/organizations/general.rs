use housekey::prelude::*;

use crate::controllers::organizations::roles::role_name;
use crate::controllers::organizations::standing::Standing;
use crate::views::components::{Actions, Alert, Button, Card, Checkbox, Field, Form, Icon, Kind, Tone};
use crate::views::layouts::{Member, Organization, OrganizationTab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct General {
    /// Who is signed in.
    pub member: Member,
    /// Where they stand.
    pub standing: Standing,
}

/// `GET /settings/organization`
pub fn general(props: &General) -> impl Renderable {
    let standing = &props.standing;
    rsx! {
        <Organization
            tab=(OrganizationTab::General)
            member=(&props.member)
            name=(&standing.name)
            fields=(&["name", "slug"])
        >
            (names(standing))
            (leave(standing))
            @if standing.may_delete { (delete(standing)) }
        </Organization>
    }
}

fn names(standing: &Standing) -> impl Renderable + use<'_> {
    let locked = !standing.may_update;
    rsx! {
        <Card title=(&t("Name")) text=(&t("As members and invitations show it."))>
            @if locked {
                <Alert kind=(Kind::Info) text=(&t!("You are here as :role. Owners and admins can change this.", role = role_name(&standing.role))) ../>
            }
            <Form action=(&standing.action("settings.organization.update", None)) method="PATCH">
                <Field
                    name="name"
                    label=(&t("Name"))
                    value=(&standing.name)
                    autocomplete="organization"
                    maxlength=(Some(120))
                    required=true
                    readonly=locked
                    ..
                />
                <Field
                    name="slug"
                    label=(&t("Short name"))
                    value=(&standing.slug)
                    hint=(&t("Small letters, digits and dashes. Nobody else can have the same."))
                    autocomplete="off"
                    maxlength=(Some(48))
                    required=true
                    readonly=locked
                    ..
                />
                @if !locked { <Actions><Button label=(&t("Save")) ../></Actions> }
            </Form>
        </Card>
    }
}

// A tick is what a dialog would be, and needs no script.
fn leave(standing: &Standing) -> impl Renderable + use<'_> {
    let name = &standing.name;
    let why_not = standing.why_not_leave();
    rsx! {
        <Card
            title=(&t("Leave"))
            text=(&t("You lose access at once. To come back, somebody here has to invite you again."))
        >
            @if let Some(reason) = &why_not {
                <Alert kind=(Kind::Info) text=(reason) ../>
            } @else {
                <Form action=(&standing.action("settings.organization.leave", None)) method="POST">
                    <Checkbox name="leave_understood" label=(&t!("Yes, I want to leave :name", name)) required=true ../>
                    <Actions>
                        <Button label=(&t("Leave the organization")) tone=(Tone::Quiet) icon=(Some(Icon::SignOut)) ../>
                    </Actions>
                </Form>
            }
        </Card>
    }
}

fn delete(standing: &Standing) -> impl Renderable + use<'_> {
    let name = &standing.name;
    let members = i64::try_from(standing.members).unwrap_or(i64::MAX);
    rsx! {
        <Card
            title=(&t("Delete the organization"))
            text=(&t("Its members, roles and invitations are erased, and everything that belongs to it. Nobody can bring it back."))
        >
            <p class="text-[0.9375rem]">
                (t_plural("You are its only member.|All :count members lose access at once.", members))
            </p>
            <Form action=(&standing.action("settings.organization.destroy", None)) method="DELETE">
                <Checkbox name="delete_understood" label=(&t!("Yes, delete :name and everything in it", name)) required=true ../>
                <Actions>
                    <Button label=(&t("Delete the organization")) tone=(Tone::Danger) icon=(Some(Icon::Trash)) ../>
                </Actions>
            </Form>
        </Card>
    }
}
