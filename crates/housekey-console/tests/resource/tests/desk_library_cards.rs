//! Library cards, as a client sees them.

use housekey::database::Factory;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use made::factories::desk::library_card_factory::LibraryCardFactory;

#[housekey::test]
async fn library_cards_are_listed_and_shown(app: TestApp) {
    let library_card = app.within(LibraryCardFactory::create()).await.expect("a library card");
    app.get("/desk/library-cards").await.assert_ok().assert_see(&library_card.name);
    app.get(&format!("/desk/library-cards/{}", library_card.id))
        .await
        .assert_ok()
        .assert_json_path("name", library_card.name);
    app.get("/desk/library-cards/0").await.assert_not_found();
}

#[housekey::test]
async fn a_library_card_is_added_changed_and_deleted(app: TestApp) {
    app.post("/desk/library-cards").json(&json!({ "name": "" })).await.assert_invalid("name");
    app.post("/desk/library-cards")
        .json(&json!({ "name": "First" }))
        .await
        .assert_status(201)
        .assert_json_path("id", 1);
    app.put("/desk/library-cards/1")
        .json(&json!({ "name": "Second" }))
        .await
        .assert_json_path("name", "Second");
    app.delete("/desk/library-cards/1").await.assert_status(204);
    app.get("/desk/library-cards/1").await.assert_not_found();
}
