import type { Aborted } from './aborted.js';
import type { Expired } from './expired.js';
import type { Invalid } from './invalid.js';
import type { NeedsPasswordConfirmation } from './needs-password-confirmation.js';
import type { NotFound } from './not-found.js';
import type { Offline } from './offline.js';
import { isRequestError, type RequestError } from './request-error.js';
import type { Throttled } from './throttled.js';
import type { Unauthenticated } from './unauthenticated.js';
export { isRequestError };
/** The errors with a class of their own, by its name. */
export interface ClientErrors {
    Aborted: Aborted;
    Expired: Expired;
    Invalid: Invalid;
    NeedsPasswordConfirmation: NeedsPasswordConfirmation;
    NotFound: NotFound;
    Offline: Offline;
    Throttled: Throttled;
    Unauthenticated: Unauthenticated;
}
/** Everything a request can fail with. A `switch` over `name` tells them apart. */
export type ClientError = ClientErrors[keyof ClientErrors] | RequestError;
/** Whether the request was ended from this side. */
export declare const isAborted: (error: unknown) => error is Aborted;
/** Whether the page's CSRF token is too old, also after a fresh one was asked for. */
export declare const isExpired: (error: unknown) => error is Expired;
/** Whether fields were refused. */
export declare const isInvalid: (error: unknown) => error is Invalid<string>;
/** Whether there is nothing at the address. */
export declare const isNotFound: (error: unknown) => error is NotFound;
/** Whether the server could not be reached. */
export declare const isOffline: (error: unknown) => error is Offline;
/** Whether there were too many requests. */
export declare const isThrottled: (error: unknown) => error is Throttled;
/** Whether nobody is signed in. */
export declare const isUnauthenticated: (error: unknown) => error is Unauthenticated;
/** Whether the password has to be confirmed first. */
export declare const needsPasswordConfirmation: (error: unknown) => error is NeedsPasswordConfirmation;
