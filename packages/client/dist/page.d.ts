/** What the server embedded in the document. The app says what else is in it by merging into this interface. */
export interface Page {
    /** The CSRF token of the session, sent with writes. */
    csrf?: string;
}
/**
 * Reads the payload that the server embedded as `<script type="application/json" id="page-data">`, anew on every call.
 *
 * Empty when there is none, when it is no object, and outside a browser.
 */
export declare function embedded<T extends object = Page>(): Partial<T>;
/** The embedded payload as it was when this module was loaded. */
export declare const page: Page;
