use housekey::database::CursorPage;
use housekey::prelude::*;

use crate::models::AuditEntry;
use crate::views::components::{Cell, CursorPagination, Row, Table};
use crate::views::layouts::{App, Member, Section};

/// What the page wants to know.
pub struct Activity {
    pub member: Member,
    /// With the books and the people they are about.
    pub entries: CursorPage<AuditEntry>,
}

/// `GET /activity`
pub fn activity(props: &Activity) -> impl Renderable {
    let columns = [t("When (UTC)"), t("Who"), t("What"), t("Book")];
    rsx! {
        <App title=(&t("Activity")) member=(&props.member) section=(Section::Activity) trail=(&[])>
            <div class="grid grid-cols-1 gap-6">
                <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(t("Activity"))</h1>
                <section class="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
                    <Table caption=(&t("Activity")) columns=(&columns)>
                        @for entry in &props.entries.items {
                            <Row>
                                <Cell column=(&columns[0])>(moment(entry))</Cell>
                                <Cell column=(&columns[1])>
                                    @if let Some(person) = entry.person.as_ref() { (&person.name) } @else { (t("The library")) }
                                </Cell>
                                <Cell column=(&columns[2])>(t(&entry.action)) " " <span class="text-sm text-muted">(&entry.details)</span></Cell>
                                <Cell column=(&columns[3])>(&entry.book.title)</Cell>
                            </Row>
                        }
                    </Table>
                    <CursorPagination page=(&props.entries)/>
                </section>
            </div>
        </App>
    }
}

fn moment(entry: &AuditEntry) -> String {
    let at = entry.created_at;
    format!("{} {:02}:{:02}", at.date(), at.hour(), at.minute())
}
