use housekey::prelude::*;
use housekey::view::{Buffer, Raw};

/// A small drawing beside words: `(Icon::Key)`. It inherits size and colour from the text around it, and says nothing
/// to a screen reader: the words do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Alert,
    ArrowLeft,
    ArrowRight,
    Check,
    ChevronDown,
    ChevronRight,
    ChevronUp,
    Clock,
    Cloud,
    Copy,
    Download,
    Eye,
    EyeOff,
    Home,
    Info,
    Key,
    Laptop,
    Lock,
    Mail,
    Menu,
    Monitor,
    Moon,
    Pencil,
    Phone,
    Plus,
    Printer,
    Shield,
    SignOut,
    Sliders,
    Sun,
    Trash,
    User,
}

/// On a field of 24 by 24, drawn with a round pen.
macro_rules! drawn {
    ($path:literal) => {
        concat!(
            r#"<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=""#,
            $path,
            r#""></path></svg>"#
        )
    };
}

impl Icon {
    const fn svg(self) -> &'static str {
        match self {
            Self::Alert => drawn!("M12 4 21 19.5H3zM12 10v4M12 16.9v.1"),
            Self::ArrowLeft => drawn!("M20 12H4.5M10.5 6l-6 6 6 6"),
            Self::ArrowRight => drawn!("M4 12h15.5M13.5 6l6 6-6 6"),
            Self::Check => drawn!("m5 12.5 4.5 4.5L19 7.5"),
            Self::ChevronDown => drawn!("m6.5 9.5 5.5 5.5 5.5-5.5"),
            Self::ChevronRight => drawn!("m9.5 6.5 5.5 5.5-5.5 5.5"),
            Self::ChevronUp => drawn!("m6.5 14.5 5.5-5.5 5.5 5.5"),
            Self::Clock => drawn!("M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 7.5V12l3 2"),
            Self::Cloud => drawn!("M7 18.5a4 4 0 0 1-.4-8A5.8 5.8 0 0 1 17.8 9a4.8 4.8 0 0 1-.8 9.5z"),
            Self::Copy => drawn!("M9 8.5h10.5V20H9zM15 8.5V4H4.5v11.5H9"),
            Self::Download => drawn!("M12 4v11.5M7 11l5 5 5-5M4.5 20h15"),
            Self::Eye => drawn!(
                "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6z"
            ),
            Self::EyeOff => drawn!(
                "M4 4l16 16M9.8 6a8.6 8.6 0 0 1 2.2-.3c6 0 9.5 6.3 9.5 6.3a16 16 0 0 1-2.7 3.4M6.4 8A16 16 0 0 0 2.5 12S6 18.3 12 18.3a8.7 8.7 0 0 0 4-1M9.9 10.1a2.8 2.8 0 0 0 4 4"
            ),
            Self::Home => drawn!("M4 10.8 12 4l8 6.8V20h-5.5v-5.5h-5V20H4z"),
            Self::Info => drawn!("M12 3.5a8.5 8.5 0 1 1 0 17 8.5 8.5 0 0 1 0-17zM12 11v5.5M12 7.9v.1"),
            Self::Key => {
                drawn!("M15 4a5 5 0 1 1-1.9 9.6L11 15.7H9v2H7V20H4v-3.2l6.4-6.4A5 5 0 0 1 15 4zM16.4 7.5v.1")
            }
            Self::Laptop => drawn!("M5 5h14v10.5H5zM2.5 19h19"),
            Self::Lock => drawn!("M5.5 10.5h13V20h-13zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5M12 14.3v2"),
            Self::Mail => drawn!("M3.5 6h17v12.5h-17zM4 6.5l8 6.5 8-6.5"),
            Self::Menu => drawn!("M4 7h16M4 12h16M4 17h16"),
            Self::Monitor => drawn!("M3.5 4.5h17v11.5h-17zM9 20h6M12 16v4"),
            Self::Moon => drawn!("M19.5 14.5A8 8 0 0 1 9.5 4.5a8 8 0 1 0 10 10z"),
            Self::Pencil => drawn!("M4.5 19.5l.8-4L16 4.8l3.2 3.2L8.5 18.7zM13.7 7.1l3.2 3.2"),
            Self::Phone => drawn!("M7 3.5h10v17H7zM11 17.5h2"),
            Self::Plus => drawn!("M12 5v14M5 12h14"),
            Self::Printer => drawn!("M7.5 9V4h9v5M7.5 17H4.5V9h15v8h-3M7.5 14h9v6h-9z"),
            Self::Shield => {
                drawn!("M12 3.5 19 6v5.5c0 4.3-2.9 7.5-7 9-4.1-1.5-7-4.7-7-9V6zM9 12l2.2 2.2L15.2 10")
            }
            Self::SignOut => drawn!("M14 4.5H5v15h9M10.5 12h10M17 8.5l3.5 3.5-3.5 3.5"),
            Self::Sliders => drawn!(
                "M4 8h8.5M17.5 8H20M4 16h2.5M11.5 16H20M15 5.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM9 13.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5z"
            ),
            Self::Sun => drawn!(
                "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4"
            ),
            Self::Trash => drawn!("M4.5 7h15M9.5 7V4h5v3M6.5 7l.8 13h9.4l.8-13M10 11v5.5M14 11v5.5"),
            Self::User => {
                drawn!("M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20c.8-3.6 3.6-5.5 7.5-5.5s6.7 1.9 7.5 5.5")
            }
        }
    }
}

impl Renderable for Icon {
    fn render_to(&self, buffer: &mut Buffer) {
        // XSS SAFETY: drawings of ours, without anything put into them.
        Raw::<_>::dangerously_create(self.svg()).render_to(buffer);
    }
}
