use housekey::database::Page;
use housekey::prelude::*;

use super::pages::{member_of, private};
use crate::covers;
use crate::models::{Book, Loan, Tag};
use crate::requests::book::{BookForm, BookList};
use crate::views::pages::books::{BookIndex, BookPage, BookToEdit, form, index as list, show as page};

/// `GET /books`
pub async fn index(CurrentUser(user): CurrentUser, ValidQuery(wanted): ValidQuery<BookList>) -> Result<View> {
    let books = find(&wanted).await?;
    let tags = Tag::query()?.order_by(Tag::name).get().await?;
    Ok(private(view(list(&BookIndex { member: member_of(&user), books, tags, wanted }))))
}

async fn find(wanted: &BookList) -> Result<Page<Book>> {
    let mut books = Book::query()?.scope(Book::with_shelf);
    if let Some(words) = &wanted.search {
        books = Book::search(books, words);
    }
    if let Some(tag) = &wanted.tag {
        books = books.where_has(Book::tags.only(|tags| tags.where_eq(Tag::name, tag.as_str())));
    }
    books = match wanted.sort.as_deref() {
        Some("author") => books.order_by(Book::author),
        Some("newest") => books.order_by_desc(Book::created_at),
        _ => books.order_by(Book::title),
    };
    books.order_by(Book::id).paginate(wanted.page.unwrap_or(1), 20).await
}

/// `GET /books/{book}`
pub async fn show(CurrentUser(user): CurrentUser, Bound(mut book): Bound<Book>) -> Result<View> {
    book.load(Book::tags).await?;
    let loans = Loan::query()?.where_eq(Loan::book_id, book.id).with(Loan::reader);
    let loans = loans.order_by_desc(Loan::id).limit(20).get().await?;
    let cover = book.cover_url().await?;
    Ok(private(view(page(&BookPage { member: member_of(&user), book, loans, cover }))))
}

/// `GET /books/new`
pub async fn create(CurrentUser(user): CurrentUser) -> Result<View> {
    Ok(private(view(form(&BookToEdit { member: member_of(&user), book: None }))))
}

/// `POST /books`
pub async fn store(Valid(mut book): Valid<BookForm>) -> Result<Redirect> {
    let cover = covers::keep(book.cover.take()).await?;
    let made = db()?
        .transaction(async |_| {
            let made = Book::create(book.columns().with("cover", cover)).await?;
            made.sync(Book::tags, Tag::keys_of(book.tags.as_deref().unwrap_or_default()).await?).await?;
            Ok(made)
        })
        .await?;
    Ok(redirect(&address_of(&made)?).with("status", t!("“:title” is on the shelf.", title = made.title)))
}

/// `GET /books/{book}/edit`
pub async fn edit(CurrentUser(user): CurrentUser, Bound(mut book): Bound<Book>) -> Result<View> {
    book.load(Book::tags).await?;
    Ok(private(view(form(&BookToEdit { member: member_of(&user), book: Some(book) }))))
}

/// `PUT /books/{book}`
pub async fn update(Bound(mut book): Bound<Book>, Valid(mut form): Valid<BookForm>) -> Result<Redirect> {
    if form.version.is_some_and(|version| version != book.version) {
        return Ok(back().with("warning", t("Somebody else changed this book meanwhile. Look at it again.")));
    }
    if let Some(cover) = covers::keep(form.cover.take()).await? {
        book.cover = Some(cover);
    }
    form.fill(&mut book);
    db()?
        .transaction(async |_| {
            book.save().await?;
            book.sync(Book::tags, Tag::keys_of(form.tags.as_deref().unwrap_or_default()).await?).await
        })
        .await?;
    Ok(redirect(&address_of(&book)?).with("status", t("Saved.")))
}

/// `DELETE /books/{book}`
pub async fn destroy(Bound(book): Bound<Book>) -> Result<Redirect> {
    if Loan::query()?.scope(Loan::open).where_eq(Loan::book_id, book.id).exists().await? {
        return Ok(back().with("warning", t("This book is still lent.")));
    }
    book.delete().await?;
    Ok(redirect(&route("books.index")?).with("status", t!("“:title” is off the shelf.", title = book.title)))
}

fn address_of(book: &Book) -> Result<String> {
    route_url("books.show", &[("book", &book.id.to_string())])
}
