pub mod report_controller;
