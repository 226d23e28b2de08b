pub mod store_post_request;
