// says: no associated item named `titel` found for struct `Post`
pub async fn find() -> Result<Vec<Post>> {
    Post::query()?.where_eq(Post::titel, "Rivers").get().await
}
