import { RequestError } from './request-error.js';
/** 404: there is nothing at this address, or nothing for this person. */
export declare class NotFound extends RequestError {
    readonly name = "NotFound";
}
