use housekey::prelude::*;

/// A house whose windows are steps: each one done lights one, and the last one lights the door.
#[component]
pub fn house<'a>(lit: &'a [bool]) -> impl Renderable {
    let window = |at: usize| if lit.get(at).copied().unwrap_or(false) { "lit lights-up" } else { "unlit" };
    let door = if lit.iter().all(|lit| *lit) { "lit lights-up" } else { "fill-sky" };
    let (first, second, third) = (window(0), window(1), window(2));
    rsx! {
        <svg class="block w-full overflow-visible" viewBox="0 0 360 212" aria-hidden="true">
            <path class="fill-far" d="M-160 204v-40l34-30 34 30v-50h60v90zM0 204v-52l38-32 38 32v52zM76 204v-84h20V96h14v24h40v84zM262 204v-74l40-34 40 34v74zM330 204v-50h56l40-34 40 34v50z"></path>
            <circle class="fill-sun" cx="312" cy="34" r="17"></circle>
            <path class="fill-roof" d="M224 30h20v50h-20z"></path>
            <path class="fill-home" d="M106 204V92h148v112z"></path>
            <path class="fill-roof" d="M180 16 278 100H82z"></path>
            <circle class=(first) cx="180" cy="70" r="12"></circle>
            <rect class=(second) x="124" y="118" width="28" height="36" rx="3"></rect>
            <rect class=(third) x="208" y="118" width="28" height="36" rx="3"></rect>
            <path class="fill-roof" d="M161 204v-48a19 19 0 0 1 38 0v48z"></path>
            <path class=(door) d="M180 158a8 8 0 0 1 4.2 14.8l2.6 12.7h-13.6l2.6-12.7A8 8 0 0 1 180 158z"></path>
            <path class="fill-ground" d="M-2400 202h5160v40H-2400z"></path>
        </svg>
    }
}

/// The street of the welcome page.
#[component]
pub fn street() -> impl Renderable {
    rsx! {
        // Cut at both sides on a narrow screen, never squeezed: the house with the key stays in the middle.
        <svg class="block h-64 w-full sm:h-80 lg:h-96" viewBox="0 0 1440 384" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
            <defs>
                <radialGradient id="glow">
                    <stop class="[stop-color:var(--color-glow)]" offset="0"></stop>
                    <stop class="[stop-color:var(--color-lamp)] [stop-opacity:0]" offset="1"></stop>
                </radialGradient>
            </defs>
            <circle class="fill-sun" cx="936" cy="66" r="38"></circle>
            <path class="fill-far" d="M0 236h60l58-52 58 52h40v-58h22v-40h26v40h70l74-66 74 66v70h70l50-44 50 44h148l66-58 66 58h84v-96h120v96h54l66-58 66 58h118v184H0z"></path>
            <path class="fill-near" d="M40 300v-82l78-66 78 66v82zM226 300V170h30v-34h24v34h96v130zM410 300v-92l70-58 70 58v92zM870 300v-96l76-64 76 64v96zM1052 300V164h138v136zM1222 300v-88l80-66 80 66v88z"></path>
            @for (x, y, light) in WINDOWS {
                <rect class=(if light { "lit lights-up" } else { "unlit" }) x=(x) y=(y) width="20" height="26" rx="2"></rect>
            }
            <ellipse fill="url(#glow)" cx="720" cy="250" rx="330" ry="220"></ellipse>
            <path class="fill-ground" d="M0 300h1440v84H0z"></path>
            <path class="lit opacity-45" d="M686 342h68l44 42H642z"></path>
            <path class="fill-home" d="M600 342V176h240v166z"></path>
            <path class="fill-roof" d="M798 84h30v64h-30zM720 62l148 124H572z"></path>
            <rect class="lit" x="628" y="212" width="34" height="44" rx="3"></rect>
            <rect class="lit" x="778" y="212" width="34" height="44" rx="3"></rect>
            <path class="fill-roof" d="M680 342v-90a40 40 0 0 1 80 0v90z"></path>
            <path class="lit" d="M720 250a18 18 0 0 1 9.5 33.3l5.5 24.7h-30l5.5-24.7A18 18 0 0 1 720 250z"></path>
            <circle class="lit" cx="720" cy="184" r="7"></circle>
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
