/**
 * How a ceremony ended. What the person decides is no error, so only what went wrong is thrown.
 *
 * - `done`: with what the server answered.
 * - `cancelled`: the person closed the dialog or let it run out, or another ceremony took its place. Stay silent.
 * - `unsupported`: the browser cannot do it here.
 */
export type Outcome<T> = {
    outcome: 'done';
    answer: T;
} | {
    outcome: 'cancelled';
} | {
    outcome: 'unsupported';
};
/** A registered passkey, as the engine answers it. */
export interface Passkey {
    id: string;
    name: string | null;
    credentialID: string;
    /** `singleDevice`, or `multiDevice` for one that can be synced. */
    deviceType: string;
    /** Whether it is synced. */
    backedUp: boolean;
    /** Such as `internal,hybrid`. */
    transports: string | null;
    createdAt: string | null;
    aaguid: string | null;
}
/** What a sign-in answers. The session itself is in a cookie that no script can read. */
export interface SignedIn {
    session: {
        id: string;
        userId: string;
        expiresAt: string;
    };
    user: {
        id: string;
        name: string;
        email: string;
        emailVerified: boolean;
        image?: string | null;
    };
}
/** The proof of a passkey in JSON, as a server takes it: bytes are base64url. It is worth one try within a few minutes. */
export interface Assertion {
    id: string;
    rawId: string;
    type: string;
    authenticatorAttachment: string | null;
    clientExtensionResults: AuthenticationExtensionsClientOutputs;
    response: {
        clientDataJSON: string;
        authenticatorData: string;
        signature: string;
        userHandle: string | undefined;
    };
}
/** The options of `navigator.credentials.create` in JSON: bytes are base64url. */
export type CreationJson = PublicKeyCredentialCreationOptionsJSON;
/** The options of `navigator.credentials.get` in JSON: bytes are base64url. */
export type RequestJson = PublicKeyCredentialRequestOptionsJSON;
