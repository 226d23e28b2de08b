// says: `Post` belongs to no organisation
// says: the trait `housekey::prelude::BelongsToOrganization` is not implemented for `Post`
pub fn mistake() -> Result<()> {
    let posts = <Post as BelongsToOrganization>::across_organizations()?;
    drop(posts);
    Ok(())
}
