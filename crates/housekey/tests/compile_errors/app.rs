housekey::config!();

use housekey::database::FromRow;
use housekey::prelude::*;

#[component]
pub fn card<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
    rsx! { <section class="card"><h2>(title)</h2>(children)</section> }
}

pub fn page() -> impl Renderable {
    rsx! { <Card title="Hello"><p class="greeting">(t!("Hello :name", name = "Ada"))</p></Card> }
}

#[derive(Clone, FromRow, Model)]
#[model(table = "posts")]
pub struct Post {
    id: i64,
    title: String,
}

pub fn web(route: &mut Routes) {
    route.get("/posts/{id}", async |Path(id): Path<i64>| id.to_string());
}

/// What is none of the things that a mistake takes it for.
pub struct Price(pub u32);

