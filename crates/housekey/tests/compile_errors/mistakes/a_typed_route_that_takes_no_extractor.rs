// says: a client is not told what `Price` reads of a request
// says: an extractor of your own that needs nothing from the client says `impl Input for Price {}`
// errors: 2
pub fn mistake(route: &mut Routes) {
    async fn show(price: Price) -> Json<u32> {
        Json(price.0)
    }
    route.group().prefix("/api").typed(|route| {
        route.get("/price", show);
    });
}
