// says: `destory`
mod books {
    pub async fn destroy() {}
}

pub fn mistake(route: &mut Routes) {
    route.resource("books").actions(actions!(books, except [index, create, store, show, edit, update, destory]));
}
