use housekey::database::DbEnum;
use housekey::prelude::*;

use crate::calendar::today;
use crate::models::{Book, Condition};
use crate::views::components::{
    Actions, Button, ButtonLink, ErrorSummary, Field, FileField, FileForm, Select, StatusNotice, Tone,
};
use crate::views::layouts::{App, Member, Section};

/// What the page wants to know.
pub struct BookToEdit {
    pub member: Member,
    /// With its tags; none for a new one.
    pub book: Option<Book>,
}

const FIELDS: [&str; 9] =
    ["title", "author", "isbn", "pages", "price", "condition", "bought_on", "tags", "cover"];

/// `GET /books/new`, `GET /books/{book}/edit`
pub fn form(props: &BookToEdit) -> impl Renderable {
    let book = props.book.as_ref();
    let title = if book.is_some() { t("Edit a book") } else { t("Add a book") };
    let (action, method) = match book {
        Some(book) => (path_to_with("books.update", &[("book", &book.id.to_string())]), "PUT"),
        None => (path_to("books.store"), "POST"),
    };
    let text = move |of: fn(&Book) -> String| book.map(of).unwrap_or_default();
    let bought_on = book.map_or_else(today, |book| book.bought_on).to_string();
    let tags = text(|book| book.tags.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>().join(", "));
    let conditions: Vec<_> =
        Condition::ALL.iter().map(|condition| (condition.as_str(), condition.words())).collect();
    let trail = [(t("Books"), path_to("books.index"))];
    rsx! {
        <App title=(&title) member=(&props.member) section=(Section::Books) trail=(&trail)>
            <div class="grid grid-cols-1 gap-6">
                <StatusNotice/>
                <h1 class="font-display text-3xl font-bold tracking-[-0.02em]">(&title)</h1>
                <ErrorSummary fields=(&FIELDS)/>
                <section class="rounded-card border border-line bg-surface p-5 shadow-card sm:p-7">
                    <FileForm action=(&action) method=method>
                        @if let Some(book) = book { <input type="hidden" name="version" value=(book.version)> }
                        <Field name="title" label=(&t("Title")) value=(&text(|book| book.title.clone())) maxlength=(Some(200)) required=true autofocus=true ../>
                        <Field name="author" label=(&t("Author")) value=(&text(|book| book.author.clone())) maxlength=(Some(120)) required=true ../>
                        <Field name="isbn" label=(&t("ISBN")) value=(&text(|book| book.isbn.clone())) hint=(&t("Thirteen digits, without dashes.")) maxlength=(Some(13)) required=true ../>
                        <Field name="pages" label=(&t("Pages")) value=(&text(|book| book.pages.map(|pages| pages.to_string()).unwrap_or_default())) hint=(&t("Left empty, we look it up.")) ../>
                        <Field name="price" label=(&t("Price")) value=(&text(|book| book.price.to_string())) required=true ../>
                        <Select name="condition" label=(&t("Condition")) options=(&conditions) value=(&text(|book| book.condition.as_str().to_owned())) required=true ../>
                        <Field name="bought_on" label=(&t("Bought on")) kind="date" value=(&bought_on) required=true ../>
                        <Field name="tags" label=(&t("Tags")) value=(&tags) hint=(&t("With commas between: sea, poems")) maxlength=(Some(200)) ../>
                        <FileField name="cover" label=(&t("Cover")) accept="image/*" hint=(&t("A picture of at most 5 MB.")) ../>
                        <Actions>
                            <Button label=(&t("Save")) ../>
                            <ButtonLink href=(&path_to("books.index")) label=(&t("Cancel")) tone=(Tone::Quiet) ../>
                        </Actions>
                    </FileForm>
                </section>
            </div>
        </App>
    }
}
