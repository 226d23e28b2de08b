import type { Client } from '../client.js';
import type { Assertion, Outcome, Passkey, SignedIn } from './types.js';
/** Where the ceremonies are held. */
export interface PasskeyOptions {
    /** The engine's base path. Default `/api/auth`. */
    prefix?: string;
    /** The client to send with, when it is not the ready-made one. */
    client?: Pick<Client, 'call'>;
}
/** The ceremonies. */
export interface Passkeys {
    /** Makes a passkey on this device and registers it with the signed-in account. The name defaults to {@link deviceName}. */
    register(options?: {
        name?: string;
    }): Promise<Outcome<Passkey> | {
        outcome: 'exists';
    }>;
    /** Signs in with a passkey that the person picks. */
    signIn(options?: {
        remember?: boolean;
    }): Promise<Outcome<SignedIn>>;
    /**
     * Offers passkeys in the autofill of a field whose `autocomplete` ends in `webauthn`, for as long as the page stands or
     * until {@link signIn} or {@link register} begins. Called again meanwhile it goes on, with the new `onSuccess`.
     */
    autofill(onSuccess: (answer: SignedIn) => unknown, options?: {
        remember?: () => boolean;
    }): Promise<Outcome<SignedIn>>;
    /**
     * Lets a passkey prove that its owner is here, without signing in. The answer goes to a route of the app that judges it,
     * such as the one that confirms the password.
     */
    assert(): Promise<Outcome<Assertion>>;
    /** Ends what is under way. */
    stop(): void;
}
/** Makes the ceremonies for an engine at another place than `/api/auth`. */
export declare function createPasskeys(options?: PasskeyOptions): Passkeys;
