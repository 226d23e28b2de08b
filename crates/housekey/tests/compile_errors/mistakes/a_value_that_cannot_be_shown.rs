// says: `Price: housekey::Renderable<_>` is not satisfied
pub fn mistake(price: Price) -> impl Renderable {
    rsx! { <p>(price)</p> }
}
