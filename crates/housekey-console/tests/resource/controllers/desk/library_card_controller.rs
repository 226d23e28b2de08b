use housekey::prelude::*;
use serde::Serialize;

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

/// `GET /desk/library-cards`: the first hundred.
pub async fn index() -> Result<Json<Vec<LibraryCardJson>>> {
    let library_cards = LibraryCard::query()?.order_by(LibraryCard::name).limit(100).get().await?;
    Ok(Json(library_cards.into_iter().map(Into::into).collect()))
}

/// `POST /desk/library-cards`
pub async fn store(Valid(input): Valid<LibraryCardRequest>) -> Result<(StatusCode, Json<LibraryCardJson>)> {
    let library_card = LibraryCard::create(record! { LibraryCard::name => input.name }).await?;
    Ok((StatusCode::CREATED, Json(library_card.into())))
}

/// `GET /desk/library-cards/{library_card}`
pub async fn show(Bound(library_card): Bound<LibraryCard>) -> Result<Json<LibraryCardJson>> {
    Ok(Json(library_card.into()))
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
