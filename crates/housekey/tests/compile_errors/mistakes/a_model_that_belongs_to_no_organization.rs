// says: a model that belongs to an organization has a field `organization_id: String`
#[derive(FromRow, Model)]
#[model(table = "invoices", belongs_to_organization)]
pub struct Invoice {
    id: i64,
}
