import { RequestError } from './request-error.js';
/** The request was ended from this side: by its `signal`, or because `timeout` ran out. `status` is 0. */
export class Aborted extends RequestError {
    name = 'Aborted';
    /** Whether it was the time that ran out. */
    get timedOut() {
        return this.cause?.name == 'TimeoutError';
    }
}
