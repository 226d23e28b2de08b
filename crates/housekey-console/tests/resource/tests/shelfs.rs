//! Shelfs, as a browser sees them.

use housekey::database::Factory;
use housekey::testing::TestApp;

use made::factories::shelf_factory::ShelfFactory;

#[housekey::test]
async fn shelfs_are_listed_and_shown(app: TestApp) {
    let shelf = app.within(ShelfFactory::create()).await.expect("a shelf");
    app.get("/shelfs").await.assert_ok().assert_see(&shelf.name);
    app.get(&format!("/shelfs/{}", shelf.id)).await.assert_ok().assert_see(&shelf.name);
    app.get("/shelfs/0").await.assert_not_found();
}

#[housekey::test]
async fn a_shelf_is_added_changed_and_deleted(app: TestApp) {
    app.post("/shelfs").form(&[("name", "")]).await.assert_invalid("name");
    app.get("/shelfs/new").await.assert_ok().assert_see("The name is required.");
    app.post("/shelfs").form(&[("name", "First")]).await.assert_redirect("/shelfs/1");
    app.get("/shelfs/1/edit").await.assert_ok().assert_see("First");
    app.put("/shelfs/1").form(&[("name", "Second")]).await.assert_redirect("/shelfs/1");
    app.get("/shelfs/1").await.assert_see("Second");
    app.delete("/shelfs/1").await.assert_redirect("/shelfs");
    app.get("/shelfs/1").await.assert_not_found();
}
