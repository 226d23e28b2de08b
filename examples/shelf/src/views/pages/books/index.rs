use housekey::auth::gate::can;
use housekey::database::Page;
use housekey::prelude::*;

use crate::models::{Book, Tag};
use crate::requests::book::BookList;
use crate::views::components::{
    Availability, Button, ButtonLink, Cell, EmptyState, Field, Icon, Pagination, Row, Select, StatusNotice,
    Table, Tone,
};
use crate::views::layouts::{App, Member, Section};

/// What the page wants to know.
pub struct BookIndex {
    pub member: Member,
    pub books: Page<Book>,
    pub tags: Vec<Tag>,
    pub wanted: BookList,
}

/// `GET /books`
pub fn index(props: &BookIndex) -> impl Renderable {
    rsx! {
        <App title=(&t("Books")) member=(&props.member) section=(Section::Books) trail=(&[])>
            <div class="grid grid-cols-1 gap-6">
                <StatusNotice/>
                <div class="flex flex-wrap items-center justify-between gap-3">
                    <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(t("Books"))</h1>
                    @if can("run-library", ()) {
                        <div class="flex flex-wrap gap-3">
                            <ButtonLink href=(&path_to("books.csv")) label=(&t("Export")) tone=(Tone::Quiet) icon=(Some(Icon::Download)) ../>
                            <ButtonLink href=(&path_to("books.create")) label=(&t("Add a book")) icon=(Some(Icon::Plus)) ../>
                        </div>
                    }
                </div>
                (search(props))
                @if props.books.items.is_empty() {
                    <EmptyState title=(&t("No such book")) text=(&t("Try fewer words, or another tag.")) ../>
                } @else {
                    (list(&props.books))
                    <Pagination page=(&props.books)/>
                }
            </div>
        </App>
    }
}

fn search(props: &BookIndex) -> impl Renderable {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let (words, tag, sort) = (text(&props.wanted.search), text(&props.wanted.tag), text(&props.wanted.sort));
    let orders = [("title", t("Title")), ("author", t("Author")), ("newest", t("Newest first"))];
    let tags: Vec<String> = props.tags.iter().map(|tag| tag.name.clone()).collect();
    rsx! {
        <form method="get" action=(path_to("books.index")) role="search" class="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]">
            <Field name="search" label=(&t("Title, author or ISBN")) kind="search" value=(&words) maxlength=(Some(100)) ../>
            <Select name="tag" label=(&t("Tag")) options=(&tags) value=(&tag) empty=(&t("All")) ../>
            <Select name="sort" label=(&t("Sorted by")) options=(&orders) value=(&sort) ../>
            <Button label=(&t("Search")) tone=(Tone::Quiet) ../>
        </form>
    }
}

fn list(books: &Page<Book>) -> impl Renderable {
    let columns = [t("Title"), t("Author"), t("Tags"), t("State")];
    rsx! {
        <section class="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
            <Table caption=(&t("Books")) columns=(&columns)>
                @for book in &books.items {
                    <Row>
                        <Cell column=(&columns[0])><a href=(path_to_with("books.show", &[("book", &book.id.to_string())])) class="link font-semibold">(&book.title)</a></Cell>
                        <Cell column=(&columns[1])>(&book.author)</Cell>
                        <Cell column=(&columns[2])>
                            @for tag in &book.tags { <span class="mr-2 text-sm text-muted">"#" (&tag.name)</span> }
                        </Cell>
                        <Cell column=(&columns[3])><Availability book=(book.id) is_lent=(book.is_lent())/></Cell>
                    </Row>
                }
            </Table>
        </section>
    }
}
