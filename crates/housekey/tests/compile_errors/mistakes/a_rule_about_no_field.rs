// says: `Customer` has no field `knd` that is sent; it has `kind`, `company`
// says:     #[validate(required_if(knd, "business"))]
// says:                            ^^^
#[derive(Validated)]
pub struct Customer {
    #[validate(required)]
    kind: String,
    #[validate(required_if(knd, "business"))]
    company: Option<String>,
}
