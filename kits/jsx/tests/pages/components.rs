//! The parts that pages with lists and forms are made of, on a page of their own.

use housekey::database::{CursorPage, Page};
use housekey::prelude::*;
use housekey::testing::TestApp;
use serde::Deserialize;

use {{crate}}::views::components::{
    Cell, Checkboxes, Choice, CursorPagination, EmptyState, FileField, FileForm, Icon, Pagination, Row,
    Select, Table, TextArea,
};

/// Another model that books belong to.
struct Author {
    id: i64,
    name: &'static str,
}

impl Choice for Author {
    fn value(&self) -> String {
        self.id.to_string()
    }

    fn words(&self) -> String {
        self.name.to_owned()
    }
}

const AUTHORS: [Author; 2] = [Author { id: 1, name: "Ada & co" }, Author { id: 2, name: "Grace" }];

#[derive(Deserialize, Validated)]
struct BookRequest {
    #[validate(required, max(2000))]
    about: String,
    #[validate(required, one_of(["1", "2"]))]
    author: String,
    #[validate(required, one_of(["new", "worn"]))]
    condition: String,
    #[validate(each(one_of(["1", "2"])))]
    readers: Vec<i64>,
    #[validate(required, image)]
    cover: Upload,
}

#[derive(Deserialize, Validated)]
struct ListQuery {
    #[serde(default)]
    page: Option<u64>,
    #[serde(default)]
    after: Option<String>,
}

fn form() -> impl Renderable {
    let conditions = [("new", t("Like new")), ("worn", t("Worn"))];
    rsx! {
        <FileForm action="/test/books" method="PUT">
            <TextArea name="about" label="About" value="\nAs it was" hint="What it tells." required=true ../>
            <Select name="author" label="Author" options=(&AUTHORS) value="2" empty="Choose one" ../>
            <Select name="condition" label="Condition" options=(&conditions) ../>
            <Checkboxes name="readers" label="Read by" options=(&AUTHORS) values=(&["2".to_owned()]) hint="Who has read it."/>
            <FileField name="cover" label="Cover" accept="image/*" hint="A picture." required=true ../>
        </FileForm>
    }
}

fn books(count: u64, page: u64, cursor: &CursorPage<u64>) -> impl Renderable + use<> {
    let page = Page { items: vec![page], page, per_page: 10, total: count };
    let cursor = cursor.clone();
    let columns = [t("Book"), t("Shelf")];
    rsx! {
        @if count == 0 {
            <EmptyState title="No books yet" icon=(Some(Icon::Plus)) href="/test/books/new" label="Add the first" ../>
        } @else {
            <Table caption="Books" columns=(&columns)>
                @for book in &page.items {
                    <Row><Cell column=(&columns[0])>(book)</Cell><Cell column=(&columns[1])>"A"</Cell></Row>
                }
            </Table>
        }
        <Pagination page=(&page)/>
        <CursorPagination page=(&cursor)/>
    }
}

fn app() -> App {
    {{crate}}::app().routes(|route| {
        route.get("/test/books/new", async || view(form()));
        route.put("/test/books", async |Valid(book): Valid<BookRequest>| {
            let BookRequest { about, author, condition, readers, cover } = book;
            format!("{about} {author} {condition} {readers:?} {}", cover.name())
        });
        route.get(
            "/test/{count}",
            async |Path(count): Path<u64>, ValidQuery(query): ValidQuery<ListQuery>| {
                let next = query.after.is_none().then(|| "b&c".to_owned());
                let cursor = CursorPage { items: Vec::new(), next, per_page: 10 };
                view(books(count, query.page.unwrap_or(1), &cursor))
            },
        );
    })
}

/// The opening tag of what has this id.
fn tag<'a>(html: &'a str, id: &str) -> &'a str {
    let at = html.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("no {id} in {html}"));
    let start = html[..at].rfind('<').unwrap();
    &html[start..=start + html[start..].find('>').unwrap()]
}

#[housekey::test(app = app)]
async fn a_form_with_files_sends_them_and_shows_what_is_chosen(app: TestApp) {
    let html = app.get("/test/books/new").await.assert_ok().text();
    assert!(html.contains(r#"enctype="multipart/form-data""#), "{html}");
    // A browser drops the first line break of a text.
    assert!(html.contains(">\n\nAs it was</textarea>"), "{html}");
    assert!(html.contains(r#"<option value="">Choose one</option>"#), "{html}");
    assert!(html.contains(r#"<option value="1">Ada &amp; co</option>"#), "{html}");
    assert!(html.contains(r#"<option value="2" selected>Grace</option>"#), "{html}");
    assert!(html.contains(r#"<option value="new">Like new</option>"#), "{html}");
    assert!(tag(&html, "readers").contains(r#"aria-describedby="readers-hint""#), "{html}");
    assert!(!tag(&html, "readers-0").contains(" checked "), "{html}");
    let ticked = tag(&html, "readers-1");
    assert!(ticked.contains(r#"value="2""#) && ticked.contains(" checked "), "{ticked}");
    assert!(html.contains(r#"<label for="readers-0""#), "{html}");
    let cover = tag(&html, "cover");
    assert!(cover.contains(r#"type="file""#) && cover.contains(r#"accept="image/*""#), "{cover}");
    assert!(cover.contains(r#"aria-describedby="cover-hint""#), "{cover}");

    let picture = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
    let sent = app
        .post("/test/books")
        .form(&[
            ("_method", "PUT"),
            ("about", "All"),
            ("author", "1"),
            ("condition", "worn"),
            ("readers", "1"),
            ("readers", "2"),
        ])
        .file("cover", "me.gif", picture.to_vec())
        .await;
    sent.assert_ok().assert_see("All 1 worn [1, 2] me.gif");
}

#[housekey::test(app = app)]
async fn a_refused_form_keeps_what_was_typed_and_chosen_and_says_what_is_wrong(app: TestApp) {
    let typed = [
        ("_method", "PUT"),
        ("about", "</textarea>typed"),
        ("author", "1"),
        ("condition", ""),
        ("readers", "1"),
        ("readers", "9"),
    ];
    let refused = app.post("/test/books").form(&typed).referer("/test/books/new").await;
    refused.assert_redirect("/test/books/new");
    let html = app.get("/test/books/new").await.assert_ok().text();
    assert!(html.contains(">\n&lt;/textarea&gt;typed</textarea>"), "{html}");
    assert!(html.contains(r#"<option value="1" selected>Ada &amp; co</option>"#), "{html}");
    for (field, described_by) in [("condition", "condition-error"), ("cover", "cover-hint cover-error")] {
        let tag = tag(&html, field);
        assert!(tag.contains(r#"aria-invalid="true""#), "{tag}");
        assert!(tag.contains(&format!("aria-describedby=\"{described_by}\"")), "{tag}");
        assert!(html.contains(&format!("id=\"{field}-error\"")), "{html}");
    }
    assert!(!tag(&html, "about").contains("aria-invalid="));
    let (ticked, empty) = (tag(&html, "readers-0"), tag(&html, "readers-1"));
    assert!(ticked.contains(" checked ") && !empty.contains(" checked "), "{html}");
    assert!(html.contains(r#"id="readers-error""#) && ticked.contains(r#"aria-invalid="true""#), "{html}");
    // The first of what was refused has the focus, and nothing else.
    assert_eq!(html.matches(" autofocus").count(), 1, "{html}");
    assert!(tag(&html, "condition").contains(" autofocus"), "{html}");
}

// spec: DAT-3
#[housekey::test(app = app)]
async fn pages_lead_to_their_neighbours_and_keep_the_rest_of_the_address(app: TestApp) {
    let html = app.get("/test/95?q=a%26b&page=2").await.assert_ok().text();
    assert!(html.contains("11 to 20 of 95"), "{html}");
    let previous = r#"<a href="/test/95?q=a%26b" rel="prev""#;
    let next = r#"<a href="/test/95?q=a%26b&amp;page=3" rel="next""#;
    assert!(html.contains(previous) && html.contains(next), "{html}");
    assert_eq!(html.matches(r#"aria-current="page""#).count(), 1);
    let current = html.split(r#"aria-current="page""#).next().unwrap().rsplit('<').next().unwrap();
    assert!(current.contains(r#"aria-label="Page 2""#), "{current}");
    assert!(html.contains(r#"aria-label="Page 10""#), "{html}");

    let first = app.get("/test/95").await.text();
    assert!(
        !first.contains(r#"rel="prev""#) && first.contains(r#"href="/test/95?page=2" rel="next""#),
        "{first}"
    );
    let last = app.get("/test/95?page=10&after=x").await.text();
    assert!(last.contains("91 to 95 of 95") && !last.contains(r#"rel="next""#), "{last}");
    // Beyond the last there is a way back.
    let beyond = app.get("/test/95?page=18446744073709551615").await.assert_ok().text();
    assert!(beyond.contains(r#"href="/test/95?page=10" rel="prev""#), "{beyond}");
    let only = app.get("/test/7?after=x").await.text();
    assert!(!only.contains("7 of 7") && !only.contains(r#"aria-label="Page 1""#), "{only}");
}

// spec: DAT-3
#[housekey::test(app = app)]
async fn a_cursor_leads_on_and_to_the_top(app: TestApp) {
    let top = app.get("/test/7?q=x").await.assert_ok().text();
    assert!(top.contains(r#"<a href="/test/7?q=x&amp;after=b%26c" rel="next""#), "{top}");
    assert!(!top.contains("Back to the top"), "{top}");
    let end = app.get("/test/7?q=x&after=b%26c").await.assert_ok().text();
    assert!(!end.contains(r#"rel="next""#), "{end}");
    assert!(end.contains(r#"<a href="/test/7?q=x" "#) && end.contains("Back to the top"), "{end}");
}

#[housekey::test(app = app)]
async fn a_list_without_rows_says_how_to_get_the_first(app: TestApp) {
    let page = app.get("/test/0").await;
    page.assert_ok()
        .assert_see("No books yet")
        .assert_see(r#"href="/test/books/new""#)
        .assert_dont_see("<table");
    app.get("/test/1").await.assert_see("<table").assert_dont_see("No books yet");
}
