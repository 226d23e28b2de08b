//! The pages, as a browser without script gets them.

mod door;
mod forms;
mod links;
mod more_ways;
mod refusals;
mod second_factor;
mod settings;
mod social;
mod support;
