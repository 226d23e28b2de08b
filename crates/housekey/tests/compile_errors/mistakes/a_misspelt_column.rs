// says: no function or associated item named `titel` found for struct `Post`
// says: there is an associated constant `title` with a similar name
pub async fn find() -> Result<Vec<Post>> {
    Post::query()?.where_eq(Post::titel, "Rivers").get().await
}
