// says: `fn(Price)
// says: cannot answer a route
// says: each argument implements `FromRequestParts`
pub fn mistake(route: &mut Routes) {
    async fn show(price: Price) -> String {
        price.0.to_string()
    }
    route.get("/", show);
}
