use housekey_core::Result;

use super::{Model, Records};
use crate::{Tenant, connection, db};

/// A model whose every row belongs to one organisation. `#[model(…, belongs_to_organization)]` derives it for a type with a
/// field `organization_id`:
///
/// ```
/// use housekey_database::{BelongsToOrganization, FromRow, Model, Tenant, record};
///
/// #[derive(FromRow, Model)]
/// #[row(crate = "housekey_database")]
/// #[model(table = "posts", belongs_to_organization)]
/// struct Post {
///     id: i64,
///     organization_id: String,
///     title: String,
/// }
///
/// # async fn example(organization: &impl Tenant) -> housekey_core::Result<()> {
/// // Of the organisation that the present request is for.
/// let post = Post::create(record! { "title" => "Hello" }).await?;
/// let recent = Post::query()?.order_by_desc("id").limit(10).get().await?;
/// // Of this one.
/// let theirs = Post::of(organization)?.find(7).await?;
/// // Of all of them: the one way out, and a word to look for in a review.
/// let all = Post::across_organizations()?.query().count().await?;
/// # Ok(()) }
/// ```
///
/// No query of such a model can forget whose rows it means. `find`, `query`, `save` and `delete` reach rows of one organisation and
/// find nothing of another; `create` fills the column in and refuses another id. Where no organisation is known, all of these
/// are errors that say so. What is asked of a table by its name (`db.table("posts")`) and tables that are joined are not looked
/// at: there the author says what is meant.
// spec: ORG-4
#[diagnostic::on_unimplemented(
    message = "`{Self}` belongs to no organisation",
    note = "say `#[model(table = \"…\", belongs_to_organization)]`, and give it a field `organization_id`"
)]
pub trait BelongsToOrganization: Model {
    /// The rows of this organisation, whatever the present request is for.
    fn of<T: Tenant + ?Sized>(organization: &T) -> Result<Records<Self>> {
        let database = Self::CONNECTION.map_or_else(db, connection)?;
        Ok(Records::of(database, organization.tenant_id()))
    }

    /// The rows of all organisations: for reports, clean-up and moves. What is created through it must say whose it is.
    fn across_organizations() -> Result<Records<Self>> {
        Self::CONNECTION.map_or_else(db, connection).map(Records::across)
    }
}
