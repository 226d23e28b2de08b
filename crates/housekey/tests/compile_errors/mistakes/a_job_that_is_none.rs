// says: `Price: Job` is not satisfied
pub fn mistake(app: App) -> App {
    app.jobs([job::<Price>()])
}
