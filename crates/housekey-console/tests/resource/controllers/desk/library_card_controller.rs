use housekey::database::Page;
use housekey::prelude::*;
use serde::{Deserialize, Serialize};

use crate::models::desk::library_card::LibraryCard;
use crate::requests::desk::library_card_request::LibraryCardRequest;

/// What a client sees of a library card.
#[derive(Serialize)]
pub struct LibraryCardJson {
    pub id: i64,
    pub name: String,
}

impl From<LibraryCard> for LibraryCardJson {
    fn from(library_card: LibraryCard) -> Self {
        Self { id: library_card.id, name: library_card.name }
    }
}

/// What the address of the list says.
#[derive(Deserialize, Validated)]
pub struct LibraryCardList {
    #[validate(min(1))]
    page: Option<u64>,
}

/// `GET /desk/library-cards`
pub async fn index(ValidQuery(list): ValidQuery<LibraryCardList>) -> Result<Json<Page<LibraryCardJson>>> {
    let page = list.page.unwrap_or(1);
    let library_cards = LibraryCard::query()?.order_by(LibraryCard::name).paginate(page, 20).await?;
    Ok(Json(library_cards.map(Into::into)))
}

/// `POST /desk/library-cards`
pub async fn store(Valid(input): Valid<LibraryCardRequest>) -> Result<(StatusCode, Json<LibraryCardJson>)> {
    let library_card = LibraryCard::create(record! { LibraryCard::name => input.name }).await?;
    Ok((StatusCode::CREATED, Json(library_card.into())))
}

/// `GET /desk/library-cards/{library_card}`
pub async fn show(Bound(library_card): Bound<LibraryCard>) -> Json<LibraryCardJson> {
    Json(library_card.into())
}

/// `PUT /desk/library-cards/{library_card}`
pub async fn update(
    Bound(mut library_card): Bound<LibraryCard>,
    Valid(input): Valid<LibraryCardRequest>,
) -> Result<Json<LibraryCardJson>> {
    library_card.update(record! { LibraryCard::name => input.name }).await?;
    Ok(Json(library_card.into()))
}

/// `DELETE /desk/library-cards/{library_card}`
pub async fn destroy(Bound(library_card): Bound<LibraryCard>) -> Result<StatusCode> {
    library_card.delete().await?;
    Ok(StatusCode::NO_CONTENT)
}
