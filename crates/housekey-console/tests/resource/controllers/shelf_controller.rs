use housekey::prelude::*;
use serde::Deserialize;

use crate::models::shelf::Shelf;
use crate::requests::shelf_request::ShelfRequest;
use crate::views::pages::shelfs;

/// What the address of the list says.
#[derive(Deserialize, Validated)]
pub struct ShelfList {
    #[validate(min(1))]
    page: Option<u64>,
}

/// `GET /shelfs`
pub async fn index(ValidQuery(list): ValidQuery<ShelfList>) -> Result<View> {
    let page = list.page.unwrap_or(1);
    let shelfs = Shelf::query()?.order_by(Shelf::name).paginate(page, 20).await?;
    Ok(view(shelfs::index(&shelfs)))
}

/// `GET /shelfs/new`
pub async fn create() -> View {
    view(shelfs::form(None))
}

/// `POST /shelfs`
pub async fn store(Valid(input): Valid<ShelfRequest>) -> Result<Redirect> {
    let shelf = Shelf::create(record! { Shelf::name => input.name }).await?;
    Ok(redirect(&address_of(&shelf)?).with("status", t("Saved.")))
}

/// `GET /shelfs/{shelf}`
pub async fn show(Bound(shelf): Bound<Shelf>) -> View {
    view(shelfs::show(&shelf))
}

/// `GET /shelfs/{shelf}/edit`
pub async fn edit(Bound(shelf): Bound<Shelf>) -> View {
    view(shelfs::form(Some(&shelf)))
}

/// `PUT /shelfs/{shelf}`
pub async fn update(Bound(mut shelf): Bound<Shelf>, Valid(input): Valid<ShelfRequest>) -> Result<Redirect> {
    shelf.update(record! { Shelf::name => input.name }).await?;
    Ok(redirect(&address_of(&shelf)?).with("status", t("Saved.")))
}

/// `DELETE /shelfs/{shelf}`
pub async fn destroy(Bound(shelf): Bound<Shelf>) -> Result<Redirect> {
    shelf.delete().await?;
    Ok(redirect(&route("shelfs.index")?).with("status", t("Deleted.")))
}

/// The address of one of them.
fn address_of(shelf: &Shelf) -> Result<String> {
    route_url("shelfs.show", &[("shelf", &shelf.id.to_string())])
}
