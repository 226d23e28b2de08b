//! The pages, as a browser without script gets them.

// What `rsx!` writes names the crate by its first name.
extern crate housekey as hypertext;

mod components;
mod door;
mod forms;
mod links;
mod more_ways;
mod refusals;
mod second_factor;
mod settings;
mod social;
mod support;
