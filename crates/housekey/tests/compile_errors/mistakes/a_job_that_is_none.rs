// says: `Price: housekey::prelude::Job` is not satisfied
pub fn mistake(app: App) -> App {
    app.jobs([job::<Price>()])
}
