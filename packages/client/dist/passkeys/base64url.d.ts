/** Bytes as base64url without padding, as WebAuthn's JSON has them. */
export declare function encode(bytes: ArrayBuffer): string;
/** The bytes of a base64url text. */
export declare function decode(text: string): ArrayBuffer;
