/**
 * Reads the payload that the server embedded as `<script type="application/json" id="page-data">`, anew on every call.
 *
 * Empty when there is none, when it is no object, and outside a browser.
 */
export function embedded() {
    try {
        return { ...JSON.parse(document.getElementById('page-data').textContent) };
    }
    catch {
        // No document, no element or no JSON: nothing was embedded, which is as good an answer as any.
        return {};
    }
}
/** The embedded payload as it was when this module was loaded. */
export const page = /* @__PURE__ */ embedded();
