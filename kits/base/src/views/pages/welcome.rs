use housekey::prelude::*;

use crate::views::layouts::base::Base;

/// The first page. Yours to replace.
pub fn welcome(app: &AppConfig) -> impl Renderable {
    rsx! {
        <Base title=(&app.name)>
            <main id="main">
                <section class="hero">
                    <div class="hero-words">
                        <h1>"The lights are on."</h1>
                        <p>
                            "This page is " <code>"src/views/pages/welcome.rs"</code>
                            ". Change a word and save: the browser follows."
                        </p>
                    </div>
                    <Street/>
                </section>

                <section class="section">
                    <h2>"The plan of the house"</h2>
                    <p>"Six rooms. Everything you write has one of them to live in."</p>
                    <div class="plan">
                        @for (room, folder, purpose) in ROOMS {
                            <div class=(room)>
                                <h3>(folder)</h3>
                                <p>(purpose)</p>
                            </div>
                        }
                    </div>
                </section>

                <section class="section">
                    <h2>"Next in the guide"</h2>
                    <p>"Each chapter begins with one command."</p>
                    <ul class="steps">
                        @for (chapter, purpose, command) in CHAPTERS {
                            <li>
                                <strong>(chapter)</strong>
                                <span>(purpose)</span>
                                <code>(command)</code>
                            </li>
                        }
                    </ul>
                </section>
            </main>

            <footer>
                <dl class="facts">
                    <div><dt>"Health"</dt><dd class="health"><a href=(path_to("health"))>"ask"</a></dd></div>
                    <div><dt>"Environment"</dt><dd>%(app.env)</dd></div>
                    <div><dt>"Version"</dt><dd>(env!("CARGO_PKG_VERSION"))</dd></div>
                </dl>
            </footer>
        </Base>
    }
}

const ROOMS: [(&str, &str, &str); 6] = [
    ("room routes", "src/routes", "The addresses, and who may enter."),
    ("room controllers", "src/controllers", "What happens at an address."),
    ("room views", "src/views", "What people see: components, checked by the compiler."),
    ("room config", "config", "Ten typed files, each with its defaults."),
    ("room resources", "resources", "CSS and TypeScript, bundled by Vite."),
    ("room tests", "tests", "What must stay true: cargo test."),
];

const CHAPTERS: [(&str, &str, &str); 6] = [
    ("Routing", "Every address of the app, and who may enter.", "housekey route:list"),
    ("Controllers", "Give an address something to do.", "housekey make:controller"),
    ("Views", "Components in Rust that look like HTML.", "housekey make:view"),
    ("Validation", "Take a form and trust nothing in it.", "housekey make:request"),
    ("Configuration", "What was resolved, from which file.", "housekey config:show"),
    ("Testing", "Ask the app a question, check the answer.", "housekey make:test"),
];

/// The drawing. Its colours are in resources/css/app.css, for light and dark.
#[component]
fn street() -> impl Renderable {
    rsx! {
        <svg class="street" viewBox="0 0 1440 384" aria-hidden="true">
            <defs>
                <radialGradient id="glow">
                    <stop class="glow-in" offset="0"></stop>
                    <stop class="glow-out" offset="1"></stop>
                </radialGradient>
            </defs>
            <circle class="sun" cx="1130" cy="96" r="46"></circle>
            <path class="far" d="M0 236h60l58-52 58 52h40v-58h22v-40h26v40h70l74-66 74 66v70h70l50-44 50 44h148l66-58 66 58h84v-96h120v96h54l66-58 66 58h118v184H0z"></path>
            <path class="near" d="M40 300v-82l78-66 78 66v82zM226 300V170h30v-34h24v34h96v130zM410 300v-92l70-58 70 58v92zM870 300v-96l76-64 76 64v96zM1052 300V164h138v136zM1222 300v-88l80-66 80 66v88z"></path>
            @for (x, y, light) in WINDOWS {
                <rect class=(if light { "lit" } else { "pane" }) x=(x) y=(y) width="20" height="26" rx="2"></rect>
            }
            <ellipse class="glow" fill="url(#glow)" cx="720" cy="250" rx="330" ry="220"></ellipse>
            <path class="ground" d="M0 300h1440v84H0z"></path>
            <path class="beam" d="M686 342h68l44 42H642z"></path>
            <path class="home" d="M600 342V176h240v166z"></path>
            <path class="roof" d="M798 84h30v64h-30zM720 62l148 124H572z"></path>
            <rect class="lit" x="628" y="212" width="34" height="44" rx="3"></rect>
            <rect class="lit" x="778" y="212" width="34" height="44" rx="3"></rect>
            <path class="roof" d="M680 342v-90a40 40 0 0 1 80 0v90z"></path>
            <path class="key" d="M720 250a18 18 0 0 1 9.5 33.3l5.5 24.7h-30l5.5-24.7A18 18 0 0 1 720 250z"></path>
            <circle class="lamp" cx="720" cy="184" r="7"></circle>
        </svg>
    }
}

const WINDOWS: [(u16, u16, bool); 18] = [
    (92, 226, true),
    (126, 226, false),
    (250, 190, false),
    (292, 190, true),
    (334, 190, true),
    (250, 238, true),
    (292, 238, false),
    (454, 222, false),
    (488, 222, true),
    (918, 222, true),
    (954, 222, false),
    (1076, 186, true),
    (1112, 186, false),
    (1148, 186, true),
    (1076, 236, false),
    (1112, 236, true),
    (1276, 230, true),
    (1310, 230, false),
];
