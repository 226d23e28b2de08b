use housekey::prelude::*;

use super::pager::{Select, pager, query_of};
use crate::views::components::{
    Avatar, Badge, Button, ButtonLink, Cell, Input, Kind, Label, Moment, Table, Tone, When,
};
use crate::views::layouts::admin::{Admin, Page};

/// Somebody with an account.
#[derive(Clone, Debug, Default)]
pub struct Person {
    pub id: String,
    pub name: String,
    pub email: String,
    pub email_verified: bool,
    pub admin: bool,
    /// The names of their roles, with commas between them.
    pub roles: String,
    /// Whether an admin closed the account.
    pub closed: bool,
    pub closed_because: Option<String>,
    /// When it opens by itself again.
    pub closed_until: Option<Moment>,
    pub two_factor: bool,
    pub since: Moment,
}

impl Person {
    /// Whether there is anything to say about their state.
    pub(super) fn is_particular(&self) -> bool {
        self.admin || self.closed || self.two_factor || !self.email_verified
    }

    /// The address of a route about them, such as `admin.user.ban`.
    pub(super) fn action(&self, route: &str) -> String {
        path_to_with(route, &[("id", &self.id)])
    }
}

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct UserList {
    pub people: Vec<Person>,
    pub search: String,
    /// Whether what is searched for may be in the middle of a name or an address.
    pub anywhere: bool,
    pub show: String,
    pub sort: String,
    pub page: u32,
    pub has_next: bool,
}

/// `GET /admin/users`
pub fn users(props: &UserList) -> impl Renderable {
    let columns = [t("Person"), t("State"), t("Since (UTC)")];
    let narrowed = [("search", props.search.as_str()), ("show", &props.show), ("sort", &props.sort)];
    let anywhere = format!("{}?{}anywhere=true", path_to("admin.users"), query_of(&narrowed));
    let query = match props.anywhere {
        true => format!("{}anywhere=true&", query_of(&narrowed)),
        false => query_of(&narrowed),
    };
    rsx! {
        <Admin title=(&t("Users")) page=(Page::Users) trail=(&[])>
            (search(props))
            <section class="grid gap-5 rounded-card border border-line bg-surface p-5 shadow-card sm:p-7" aria-label=(t("Users"))>
                @if props.people.is_empty() {
                    <p class="text-[0.9375rem] text-muted">(t("Nobody is like that."))</p>
                    @if !props.search.is_empty() && !props.anywhere {
                        <p class="text-[0.9375rem]"><a href=(&anywhere) class="link">(t("Look in the middle of names and addresses too"))</a></p>
                    }
                } @else {
                    <Table caption=(&t("Users")) columns=(&columns)>
                        @for person in &props.people { (row(person, &columns)) }
                    </Table>
                }
                (pager(&path_to("admin.users"), &query, props.page, props.has_next))
            </section>
        </Admin>
    }
}

fn search(props: &UserList) -> impl Renderable {
    let shown = [
        ("", t("Everybody")),
        ("admins", t("Admins")),
        ("closed", t("Closed accounts")),
        ("unconfirmed", t("Unconfirmed addresses")),
    ];
    let sorted = [
        ("", t("Newest first")),
        ("oldest", t("Oldest first")),
        ("email", t("By e-mail")),
        ("name", t("By name")),
    ];
    let is_narrowed = !(props.search.is_empty() && props.show.is_empty());
    let label = match props.anywhere {
        true => t("Name or e-mail contains"),
        false => t("Name or e-mail begins with"),
    };
    rsx! {
        <form method="get" action=(path_to("admin.users")) role="search" class="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]">
            <div class="grid gap-1.5">
                <Label id="search" text=(&label)/>
                <Input id="search" name="search" kind="search" value=(&props.search) autocomplete="off" maxlength=(Some(254)) ../>
                @if props.anywhere { <input type="hidden" name="anywhere" value="true"> }
            </div>
            <Select name="show" label=(&t("Show")) chosen=(&props.show) choices=(&shown)/>
            <Select name="sort" label=(&t("Sort")) chosen=(&props.sort) choices=(&sorted)/>
            <div class="flex flex-wrap gap-3">
                <Button label=(&t("Search")) ../>
                @if is_narrowed { <ButtonLink href=(&path_to("admin.users")) label=(&t("Show all")) tone=(Tone::Quiet) ../> }
            </div>
        </form>
    }
}

fn row<'a>(person: &'a Person, columns: &'a [String]) -> impl Renderable + use<'a> {
    let href = person.action("admin.user");
    rsx! {
        <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
            <Cell column="">
                <span class="flex items-center gap-3">
                    <Avatar name=(&person.name)/>
                    <span class="grid min-w-0 leading-snug">
                        <a href=(&href) class="link justify-self-start [overflow-wrap:anywhere]">(&person.name)</a>
                        <span class="text-[0.8125rem] text-muted [overflow-wrap:anywhere]">(&person.email)</span>
                    </span>
                </span>
            </Cell>
            <Cell column=(&columns[1])><span class="flex flex-wrap gap-1.5">(state(person))</span></Cell>
            <Cell column=(&columns[2])><span class="whitespace-nowrap"><When moment=(&person.since)/></span></Cell>
        </tr>
    }
}

/// What is particular about somebody, in a word each.
pub(super) fn state(person: &Person) -> impl Renderable {
    rsx! {
        @if person.admin { <Badge kind=(Kind::Warning) text=(&t("Admin"))/> }
        @if person.closed { <Badge kind=(Kind::Danger) text=(&t("Closed"))/> }
        @if !person.email_verified { <Badge kind=(Kind::Info) text=(&t("Unconfirmed"))/> }
        @if person.two_factor { <Badge kind=(Kind::Success) text=(&t("Two-factor"))/> }
    }
}
