// says: no function or associated item named `autor` found for struct `Post`
pub async fn find() -> Result<Vec<Post>> {
    Post::query()?.with(Post::autor).get().await
}
