// says: #[typescript] looks whether the type is sent or received
#[typescript]
pub struct Mistake {
    name: String,
}
