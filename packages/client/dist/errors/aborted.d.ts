import { RequestError } from './request-error.js';
/** The request was ended from this side: by its `signal`, or because `timeout` ran out. `status` is 0. */
export declare class Aborted extends RequestError {
    readonly name = "Aborted";
    /** Whether it was the time that ran out. */
    get timedOut(): boolean;
}
