/** A name for a passkey that a person recognises in a list: "Firefox on Windows". */
export declare function deviceName(userAgent?: string): string;
