// says: a record is columns with their values, each after an arrow: `record! { Post::title => "Hello" }`
pub async fn mistake() -> Result<Post> {
    Post::create(record! { Post::title: "Hello" }).await
}
