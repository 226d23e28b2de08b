// says: no method named `requird` found
// says: there is a method `required` with a similar name
// The other one asks for `Deserialize`, which an app without serde cannot derive.
// errors: 2
#[derive(Validated)]
pub struct Invitation {
    #[validate(requird, max(120))]
    email: String,
}
