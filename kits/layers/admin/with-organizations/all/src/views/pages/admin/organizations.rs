use housekey::prelude::*;

use super::pager::{pager, query_of};
use crate::views::components::{
    Badge, Button, ButtonLink, Card, Cell, Input, Kind, Label, Moment, Table, Tone, When,
};
use crate::views::layouts::admin::{Admin, Page};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct OrganizationList {
    pub organizations: Vec<OrganizationRow>,
    pub search: String,
    pub page: u32,
    pub has_next: bool,
}

/// One organisation.
#[derive(Clone, Debug, Default)]
pub struct OrganizationRow {
    pub name: String,
    pub slug: String,
    pub members: u64,
    pub since: Moment,
}

/// An organisation that somebody is in.
#[derive(Clone, Debug, Default)]
pub struct MembershipRow {
    pub name: String,
    pub slug: String,
    pub role: String,
}

/// `GET /admin/organizations`
pub fn organizations(props: &OrganizationList) -> impl Renderable {
    let columns = [t("Organization"), t("Members"), t("Since (UTC)")];
    let query = query_of(&[("search", &props.search)]);
    rsx! {
        <Admin title=(&t("Organizations")) page=(Page::Organizations) trail=(&[])>
            <form method="get" action=(path_to("admin.organizations")) role="search" class="grid items-end gap-4 sm:grid-cols-[minmax(0,1fr)_auto]">
                <div class="grid gap-1.5">
                    <Label id="search" text=(&t("Name or short name"))/>
                    <Input id="search" name="search" kind="search" value=(&props.search) autocomplete="off" maxlength=(Some(254)) ../>
                </div>
                <div class="flex flex-wrap gap-3">
                    <Button label=(&t("Search")) ../>
                    @if !props.search.is_empty() { <ButtonLink href=(&path_to("admin.organizations")) label=(&t("Show all")) tone=(Tone::Quiet) ../> }
                </div>
            </form>
            <section class="grid gap-5 rounded-card border border-line bg-surface p-5 shadow-card sm:p-7" aria-label=(t("Organizations"))>
                @if props.organizations.is_empty() {
                    <p class="text-[0.9375rem] text-muted">(t("There is no such organization."))</p>
                } @else {
                    <Table caption=(&t("Organizations")) columns=(&columns)>
                        @for row in &props.organizations {
                            <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
                                <Cell column="">(named(&row.name, &row.slug))</Cell>
                                <Cell column=(&columns[1])>(row.members)</Cell>
                                <Cell column=(&columns[2])><span class="whitespace-nowrap"><When moment=(&row.since)/></span></Cell>
                            </tr>
                        }
                    </Table>
                }
                (pager(&path_to("admin.organizations"), &query, props.page, props.has_next))
            </section>
        </Admin>
    }
}

/// The organisations of a person, on their page.
pub(super) fn memberships(rows: &[MembershipRow]) -> impl Renderable {
    rsx! {
        <Card title=(&t("Organizations")) text="">
            @if rows.is_empty() {
                <p class="text-[0.9375rem] text-muted">(t("They are in none."))</p>
            } @else {
                <ul class="grid gap-4">
                    @for row in rows {
                        <li class="flex flex-wrap items-center justify-between gap-3">
                            (named(&row.name, &row.slug))
                            <Badge kind=(Kind::Info) text=(&row.role)/>
                        </li>
                    }
                </ul>
            }
        </Card>
    }
}

fn named<'a>(name: &'a str, slug: &'a str) -> impl Renderable + use<'a> {
    rsx! {
        <span class="grid min-w-0 leading-snug">
            <span class="font-semibold [overflow-wrap:anywhere]">(name)</span>
            <span class="font-mono text-[0.8125rem] text-muted [overflow-wrap:anywhere]">(slug)</span>
        </span>
    }
}
