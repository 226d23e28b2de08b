// says: `Price` is no organisation that rows could belong to
// says: take the active one: `require_organization()?`
#[derive(FromRow, Model)]
#[model(table = "invoices", belongs_to_organization)]
pub struct Invoice {
    id: i64,
    organization_id: String,
}

pub fn mistake(price: &Price) -> Result<()> {
    let invoices = Invoice::of(price)?;
    drop(invoices);
    Ok(())
}
