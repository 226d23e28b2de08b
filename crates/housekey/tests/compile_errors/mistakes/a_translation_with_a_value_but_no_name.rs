// says: no rules expected
pub fn mistake() -> String {
    t!("Hello :name", "Ada")
}
