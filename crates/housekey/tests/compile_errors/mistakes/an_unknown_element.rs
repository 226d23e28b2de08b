// says: cannot find value `sectoin` in this scope
// says: similarly named unit struct `section`
// errors: 2
pub fn mistake() -> impl Renderable {
    rsx! { <sectoin>"Home"</sectoin> }
}
