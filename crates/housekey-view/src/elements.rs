//! The elements that `rsx!` knows: all of HTML, and the part of SVG that icons and drawings need.
//!
//! SVG elements are closed by a tag of their own, `<path d="…"></path>`: a browser reads `<path>` without one as still
//! open.

#![expect(non_camel_case_types, missing_docs, reason = "an element is named as it is written in a page")]

pub use hypertext::validation::hypertext_elements::*;

use hypertext::validation::attributes::GlobalAttributes;
use hypertext::validation::{Attribute, Element, Normal};

macro_rules! svg_elements {
    ($($name:ident)*) => {$(
        #[derive(Clone, Copy, Debug)]
        pub struct $name;
        impl Element for $name {
            type Kind = Normal;
        }
        impl GlobalAttributes for $name {}
        impl SvgAttributes for $name {}
    )*};
}

svg_elements! {
    circle clipPath defs desc ellipse g line linearGradient marker mask path pattern polygon polyline radialGradient
    rect stop svg symbol text tspan r#use
}

macro_rules! svg_attributes {
    ($($name:ident)*) => {
        /// The attributes of SVG elements.
        #[expect(non_upper_case_globals, reason = "an attribute is named as it is written in a page")]
        pub trait SvgAttributes: Element {
            $(const $name: Attribute = Attribute;)*
        }
    };
}

svg_attributes! {
    clip_path clip_rule cx cy d dx dy fill fill_opacity fill_rule font_size font_weight fx fy gradientTransform
    gradientUnits height href marker_end marker_mid marker_start mask offset opacity pathLength patternUnits points
    preserveAspectRatio r rx ry spreadMethod stop_color stop_opacity stroke stroke_dasharray stroke_dashoffset
    stroke_linecap stroke_linejoin stroke_opacity stroke_width text_anchor transform vector_effect viewBox width x x1
    x2 xmlns y y1 y2
}
