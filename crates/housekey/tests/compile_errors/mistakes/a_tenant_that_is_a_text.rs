// says: `str` is no organisation that rows could belong to
// says: `TenantId::new(id)`
#[derive(FromRow, Model)]
#[model(table = "invoices", belongs_to_organization)]
pub struct Invoice {
    id: i64,
    organization_id: String,
}

pub fn mistake(from_the_address: &str) -> Result<()> {
    let invoices = Invoice::of(from_the_address)?;
    drop(invoices);
    Ok(())
}
