use housekey::prelude::*;

use super::pager::{Select, pager, query_of};
use crate::views::components::{
    Alert, Button, ButtonLink, Card, Cell, Input, Kind, Label, Moment, Table, Tone, When,
};
use crate::views::layouts::admin::{Admin, Page};

/// What the page wants to know.
#[derive(Clone, Debug, Default)]
pub struct EventList {
    pub events: Vec<EventRow>,
    /// Whether the app keeps events at all.
    pub kept: bool,
    /// The names of the kinds that can be asked for.
    pub kinds: Vec<&'static str>,
    pub user: String,
    pub kind: String,
    pub page: u32,
    pub has_next: bool,
}

/// One thing that happened.
#[derive(Clone, Debug, Default)]
pub struct EventRow {
    /// In words.
    pub what: String,
    /// By its name.
    pub kind: String,
    /// Whose account: its id, and its address if it is still there.
    pub about: Option<(String, String)>,
    /// Who did it, where that was somebody else.
    pub by: Option<String>,
    pub device: String,
    pub ip: String,
    pub at: Moment,
}

/// `GET /admin/events`
pub fn events(props: &EventList) -> impl Renderable {
    let query = query_of(&[("user", &props.user), ("kind", &props.kind)]);
    rsx! {
        <Admin title=(&t("Events")) page=(Page::Events) trail=(&[])>
            @if !props.kept {
                <Alert kind=(Kind::Warning) text=(&t("Events are only logged, not kept. `events` in config/auth.rs turns that on.")) ../>
            }
            (search(props))
            <section class="grid gap-5 rounded-card border border-line bg-surface p-5 shadow-card sm:p-7" aria-label=(t("Events"))>
                (list(&props.events, true))
                (pager(&path_to("admin.events"), &query, props.page, props.has_next))
            </section>
        </Admin>
    }
}

/// What happened to one account lately.
pub(super) fn history<'a>(rows: &'a [EventRow], id: &str) -> impl Renderable + use<'a> {
    let all = path_to_with("admin.events", &[("user", id)]);
    rsx! {
        <Card title=(&t("Events")) text="">
            (list(rows, false))
            <p class="border-t border-line pt-5"><a href=(&all) class="link text-[0.9375rem]">(t("All events of this account"))</a></p>
        </Card>
    }
}

fn search(props: &EventList) -> impl Renderable {
    let kinds: Vec<_> = [("", t("All kinds"))]
        .into_iter()
        .chain(props.kinds.iter().map(|kind| (*kind, (*kind).to_owned())))
        .collect();
    let is_narrowed = !(props.user.is_empty() && props.kind.is_empty());
    rsx! {
        <form method="get" action=(path_to("admin.events")) role="search" class="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto]">
            <div class="grid gap-1.5">
                <Label id="user" text=(&t("E-mail or id of an account"))/>
                <Input id="user" name="user" kind="search" value=(&props.user) autocomplete="off" maxlength=(Some(254)) ../>
            </div>
            <Select name="kind" label=(&t("Kind")) chosen=(&props.kind) choices=(&kinds)/>
            <div class="flex flex-wrap gap-3">
                <Button label=(&t("Search")) ../>
                @if is_narrowed { <ButtonLink href=(&path_to("admin.events")) label=(&t("Show all")) tone=(Tone::Quiet) ../> }
            </div>
        </form>
    }
}

fn list(rows: &[EventRow], with_account: bool) -> impl Renderable {
    let mut columns = vec![t("What"), t("From"), t("When (UTC)")];
    if with_account {
        columns.insert(1, t("Account"));
    }
    rsx! {
        @if rows.is_empty() {
            <p class="text-[0.9375rem] text-muted">(t("Nothing of that kind has happened."))</p>
        } @else {
            <Table caption=(&t("Events")) columns=(&columns)>
                @for row in rows { (event(row, with_account, &columns)) }
            </Table>
        }
    }
}

fn event<'a>(row: &'a EventRow, with_account: bool, columns: &'a [String]) -> impl Renderable + use<'a> {
    let last = columns.len() - 1;
    rsx! {
        <tr class="block py-4 first:pt-0 last:pb-0 md:table-row">
            <Cell column="">
                <span class="grid min-w-0 gap-0.5">
                    <span class="font-semibold">(&row.what)</span>
                    <span class="flex flex-wrap gap-x-2.5 text-[0.8125rem] text-muted">
                        <code class="font-mono">(&row.kind)</code>
                        @if let Some(by) = &row.by { <span class="[overflow-wrap:anywhere]">(t!("by :who", who = by))</span> }
                    </span>
                </span>
            </Cell>
            @if with_account {
                <Cell column=(&columns[1])>
                    @if let Some((id, name)) = &row.about {
                        <a href=(path_to_with("admin.user", &[("id", id)])) class="link [overflow-wrap:anywhere]">(name)</a>
                    } @else {
                        <span class="text-muted">(t("Nobody's"))</span>
                    }
                </Cell>
            }
            <Cell column=(&columns[last - 1])>
                <span class="grid min-w-0 gap-0.5">
                    <span>(&row.device)</span>
                    <span class="font-mono text-[0.8125rem] text-muted [overflow-wrap:anywhere]">(&row.ip)</span>
                </span>
            </Cell>
            <Cell column=(&columns[last])><span class="whitespace-nowrap"><When moment=(&row.at)/></span></Cell>
        </tr>
    }
}
