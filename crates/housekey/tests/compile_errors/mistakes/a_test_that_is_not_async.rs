// says: a #[housekey::test] is an `async fn`
#[housekey::test]
fn mistake(app: housekey::testing::TestApp) {}
