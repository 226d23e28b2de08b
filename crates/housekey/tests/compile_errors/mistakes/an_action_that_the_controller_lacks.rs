// says: cannot find value `destroy` in module `books`
mod books {
    pub async fn index() {}
}

pub fn mistake(route: &mut Routes) {
    route.resource("books").actions(actions!(books, only [index, destroy]));
}
