import { RequestError } from './request-error.js';
/** No answer: the network or the server cannot be reached. `status` is 0, `cause` is what the browser said. */
export declare class Offline extends RequestError {
    readonly name = "Offline";
}
