// says: `message` is the sentence for the rule before it, and there is none: write it after one

#[derive(Validated)]
pub struct Invitation {
    #[validate(label("address"), message("Whom do you want to invite?"), required)]
    email: String,
}
