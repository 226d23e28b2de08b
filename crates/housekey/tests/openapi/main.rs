//! The description of the API, through the front door.
