import { RequestError, type Facts } from './request-error.js';
/** 422: what was sent is not acceptable. */
export declare class Invalid<Field extends string = string> extends RequestError {
    readonly name = "Invalid";
    /** The messages by field. Empty when the server named no field. */
    readonly errors: Partial<Record<Field, string[]>>;
    constructor(message: string, facts: Facts);
}
