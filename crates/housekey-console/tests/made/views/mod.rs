pub mod layouts {
    pub mod base;
}
pub mod pages;
