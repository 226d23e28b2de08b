// says: has no field named `titel`
pub fn mistake() -> impl Renderable {
    rsx! { <Card titel="Hello"><p>"A card"</p></Card> }
}
