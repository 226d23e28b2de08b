use housekey::prelude::*;
use housekey::testing::TestApp;

use crate::support::{book, lent, reader};
use shelf::events::ShelfChange;

// spec: WRK-3
#[housekey::test]
async fn open_pages_hear_which_book_was_lent_and_that_it_is_back(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let book = book(&app, record! {}).await;
    let mut loan = lent(&app, &book, &rita).await;
    app.within(async {
        let live = live().unwrap();
        live.assert_broadcast_where("shelf", |change: &ShelfChange| change.book == book.id && change.is_lent);
        loan.take_back().await.unwrap();
        live.assert_broadcast_where("shelf", |change: &ShelfChange| {
            change.book == book.id && !change.is_lent
        });
        // Not who has it.
        live.assert_broadcast_times("shelf", 2);
    })
    .await;
}

// spec: WRK-3
#[housekey::test]
async fn guests_hear_nothing(app: TestApp) {
    let stream = app.get("/api/live?channels=shelf").header("accept", "text/event-stream");
    assert!(stream.await.status().is_client_error());
}
