use housekey::prelude::*;

use crate::controllers::organizations::standing::Standing;
use crate::views::components::{
    Avatar, Badge, Button, ButtonLink, Card, Cell, ConfirmedForm, Form, Icon, Input, Kind, Moment, PageLinks,
    RoleChoice, RoleOption, Table, Tone, When,
};
use crate::views::layouts::{Member, Organization, OrganizationTab};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct Members {
    /// Who is signed in.
    pub member: Member,
    /// Where they stand.
    pub standing: Standing,
    /// The roles that they may give.
    pub roles: Vec<RoleOption>,
    pub rows: Vec<MemberRow>,
    /// What was searched for.
    pub search: String,
    /// How many there are, on all pages.
    pub total: u64,
    /// The first is 1.
    pub page: u64,
    pub pages: u64,
}

/// Somebody in the organisation.
#[derive(Clone, Debug, Default)]
pub struct MemberRow {
    pub id: String,
    pub name: String,
    pub email: String,
    pub role: String,
    pub role_name: String,
    pub since: Moment,
    pub is_you: bool,
    pub may_change_role: bool,
    pub may_remove: bool,
    /// Why it cannot be changed.
    pub why_not: Option<String>,
}

/// `GET /settings/organization/members`
pub fn members(props: &Members) -> impl Renderable {
    let columns = [t("Member"), t("Role"), t("Since")];
    let total = i64::try_from(props.total).unwrap_or(i64::MAX);
    rsx! {
        <Organization
            tab=(OrganizationTab::Members)
            member=(&props.member)
            name=(&props.standing.name)
            fields=(&[])
        >
            <Card title=(&t("Who is here")) text=(&t("An organization always has an owner. Only owners make others owners."))>
                (search(props))
                @if props.rows.is_empty() {
                    (nobody(props))
                } @else {
                    <p class="text-sm text-muted">(t_plural("One member|:count members", total))</p>
                    <Table caption=(&t("Members")) columns=(&columns)>
                        @for row in &props.rows { (member_row(row, props, &columns)) }
                    </Table>
                }
                <PageLinks
                    route="settings.organization.members"
                    query=(&[("q", props.search.as_str())])
                    page=(props.page)
                    pages=(props.pages)
                />
            </Card>
            @if props.standing.may_invite {
                <p><ButtonLink href=(&path_to("settings.organization.invitations")) label=(&t("Invite people")) icon=(Some(Icon::Plus)) tone=(Tone::Quiet) ../></p>
            }
        </Organization>
    }
}

fn search(props: &Members) -> impl Renderable + use<'_> {
    rsx! {
        <form role="search" method="get" action=(path_to("settings.organization.members")) class="flex flex-wrap items-end gap-3">
            <div class="grid min-w-0 grow basis-48 gap-1.5">
                <label for="q" class="justify-self-start text-sm font-semibold">(t("Search by name or e-mail"))</label>
                <Input id="q" name="q" kind="search" value=(&props.search) autocomplete="off" maxlength=(Some(120)) ../>
            </div>
            <Button label=(&t("Search")) tone=(Tone::Quiet) ../>
        </form>
    }
}

fn nobody(props: &Members) -> impl Renderable + use<'_> {
    let text = match (props.search.as_str(), props.page) {
        ("", _) => t("There is nobody on this page."),
        (search, 1) => t!("Nobody here has “:search” in their name or address.", search),
        (search, _) => t!("Nobody else has “:search” in their name or address.", search),
    };
    rsx! {
        <div class="grid gap-2 rounded-control bg-sunken px-4 py-6 text-center text-[0.9375rem]">
            <p>(text)</p>
            <p><a href=(path_to("settings.organization.members")) class="link">(t("Show all members"))</a></p>
        </div>
    }
}

fn member_row<'a>(
    row: &'a MemberRow,
    props: &'a Members,
    columns: &'a [String],
) -> impl Renderable + use<'a> {
    rsx! {
        <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
            <Cell column="">
                <span class="flex items-center gap-3">
                    <Avatar name=(&row.name)/>
                    <span class="grid min-w-0 gap-0.5">
                        <span class="flex flex-wrap items-center gap-x-2.5 gap-y-1">
                            <span class="font-semibold [overflow-wrap:anywhere]">(&row.name)</span>
                            @if row.is_you { <Badge kind=(Kind::Success) text=(&t("You"))/> }
                        </span>
                        <span class="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">(&row.email)</span>
                    </span>
                </span>
            </Cell>
            <Cell column=(&columns[1])>
                <div class="flex flex-wrap items-center gap-2">
                    (role(row, props))
                    @if row.may_remove { (remove(row, props)) }
                </div>
            </Cell>
            <Cell column=(&columns[2])><span class="whitespace-nowrap"><When moment=(&row.since)/></span></Cell>
        </tr>
    }
}

fn role<'a>(row: &'a MemberRow, props: &'a Members) -> impl Renderable + use<'a> {
    let label = t!("Role of :name", name = row.name);
    rsx! {
        @if row.may_change_role {
            <Form action=(&props.standing.action("settings.organization.members.update", Some(&row.id))) method="PATCH">
                <div class="flex items-center gap-2">
                    <RoleChoice
                        id=(&format!("role-{}", row.id))
                        aria_label=(Some(&label))
                        roles=(&props.roles)
                        chosen=(&row.role)
                        small=true
                        ..
                    />
                    <Button
                        label=(&t("Save"))
                        aria_label=(Some(&t!("Save the role of :name", name = row.name)))
                        tone=(Tone::Quiet)
                        small=true
                        ..
                    />
                </div>
            </Form>
        } @else {
            <div>
                <span>(&row.role_name)</span>
                @if let Some(reason) = &row.why_not { <p class="mt-0.5 text-sm text-muted">(reason)</p> }
            </div>
        }
    }
}

fn remove<'a>(row: &'a MemberRow, props: &'a Members) -> impl Renderable + use<'a> {
    let (name, organization) = (&row.name, &props.standing.name);
    rsx! {
        <ConfirmedForm
            id=(&format!("remove-{}", row.id))
            action=(&props.standing.action("settings.organization.members.destroy", Some(&row.id)))
            method="DELETE"
            label=(&t("Remove"))
            aria_label=(Some(&t!("Remove :name", name)))
            tone=(Tone::Quiet)
            small=true
            title=(&t!("Remove :name?", name))
            text=(&t!("They lose access to :organization at once. Their account stays.", organization))
            ..
        />
    }
}
