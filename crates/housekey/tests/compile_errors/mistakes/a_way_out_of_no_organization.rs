// says: the trait bound `Post: housekey::
// says: BelongsToOrganization
pub fn mistake() -> Result<()> {
    let posts = <Post as BelongsToOrganization>::across_organizations()?;
    drop(posts);
    Ok(())
}
