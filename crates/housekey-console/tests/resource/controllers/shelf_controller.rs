use housekey::prelude::*;

use crate::models::shelf::Shelf;
use crate::requests::shelf_request::ShelfRequest;
use crate::views::pages::shelfs;

/// `GET /shelfs`: the first hundred.
pub async fn index() -> Result<View> {
    let shelfs = Shelf::query()?.order_by(Shelf::name).limit(100).get().await?;
    Ok(view(shelfs::index(&shelfs)))
}

/// `GET /shelfs/new`
pub async fn create() -> Result<View> {
    Ok(view(shelfs::form(None)))
}

/// `POST /shelfs`
pub async fn store(Valid(input): Valid<ShelfRequest>) -> Result<Redirect> {
    let shelf = Shelf::create(record! { Shelf::name => input.name }).await?;
    Ok(redirect(&format!("/shelfs/{}", shelf.id)))
}

/// `GET /shelfs/{shelf}`
pub async fn show(Bound(shelf): Bound<Shelf>) -> Result<View> {
    Ok(view(shelfs::show(&shelf)))
}

/// `GET /shelfs/{shelf}/edit`
pub async fn edit(Bound(shelf): Bound<Shelf>) -> Result<View> {
    Ok(view(shelfs::form(Some(&shelf))))
}

/// `PUT /shelfs/{shelf}`
pub async fn update(Bound(mut shelf): Bound<Shelf>, Valid(input): Valid<ShelfRequest>) -> Result<Redirect> {
    shelf.update(record! { Shelf::name => input.name }).await?;
    Ok(redirect(&format!("/shelfs/{}", shelf.id)))
}

/// `DELETE /shelfs/{shelf}`
pub async fn destroy(Bound(shelf): Bound<Shelf>) -> Result<Redirect> {
    shelf.delete().await?;
    Ok(redirect("/shelfs"))
}
