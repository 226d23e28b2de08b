// says: Future<Output = Price>
// says: cannot answer a route
// says: what it answers implements `IntoResponse`
pub fn mistake(route: &mut Routes) {
    async fn show() -> Price {
        Price(7)
    }
    route.get("/", show);
}
