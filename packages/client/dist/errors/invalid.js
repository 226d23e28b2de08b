import { RequestError } from './request-error.js';
/** 422: what was sent is not acceptable. */
export class Invalid extends RequestError {
    name = 'Invalid';
    /** The messages by field. Empty when the server named no field. */
    errors;
    constructor(message, facts) {
        super(message, facts);
        this.errors = facts.data?.errors ?? {};
    }
}
