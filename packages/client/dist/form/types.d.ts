import type { Client } from '../client.js';
import type { Body, Progress, RequestOptions } from '../request/options.js';
import type { AnswerOf, Given, Outside, PageRoutes, PathOf, RouteOf, Routes, Unlisted } from '../routes.js';
/** What a form can be told when it is made. All of it is read per submission, so it may change. */
export interface FormOptions<Data extends object, Answer = unknown> {
    /** Called with the answer of a submission that succeeded, when the form is ready for the next one. */
    onSuccess?: ((answer: Answer) => unknown) | undefined;
    /** Decides what a redirect means, most often `router.push`. Without it a redirect is reported and nothing moves. */
    onRedirect?: ((to: string) => unknown) | undefined;
    /** The CSRF token, read per submission because a sign-in changes it. Rarely needed: the client knows where it is. */
    token?: (() => string | undefined) | undefined;
    /** Makes the body out of the values: leaves something out, or packs files into a `FormData`. */
    transform?: ((data: Data) => Body) | undefined;
    /** The client to send with, when it is not the ready-made one. */
    client?: Pick<Client, 'send'> | undefined;
}
/** What a single submission can be told. */
export type SubmitOptions = Omit<RequestOptions, 'method' | 'body' | 'token' | 'signal' | 'onProgress' | 'onRedirect'> & {
    /** `true`: {@link Form.progress} follows the upload. */
    progress?: boolean;
};
/** The first message per field. Nested fields go by the name the server gives them, such as `address.city`. */
export type FormErrors<Data> = {
    [Field in keyof Data & string]?: string;
} & {
    [field: string]: string | undefined;
};
/** The methods a form can be sent with. */
export type FormMethod = 'post' | 'put' | 'patch' | 'delete';
/** Sends the form. Resolves with the answer, or with `undefined` when it was refused (422) or cancelled. */
export interface Submit<Answer, M extends string> {
    /** A listed route outside `/api`: parameters and answer are known. */
    <Path extends PathOf<PageRoutes, M>>(path: Path, options: SubmitOptionsOf<RouteOf<PageRoutes, M, Path>> & Outside): Promise<AnswerOf<RouteOf<PageRoutes, M, Path>> | undefined>;
    /** A listed route: parameters and answer are known. */
    <Path extends PathOf<Routes, M>>(path: Path, ...options: Given<SubmitOptionsOf<RouteOf<Routes, M, Path>>>): Promise<AnswerOf<RouteOf<Routes, M, Path>> | undefined>;
    /** Any other path. */
    <T = Answer, Path extends string = string>(path: Unlisted<Path, Routes, M, PageRoutes>, options?: SubmitOptions): Promise<T | undefined>;
}
/** The options of a listed route. The body is the form's own. */
type SubmitOptionsOf<Route> = Omit<SubmitOptions, 'params'> & Pick<Route, keyof Route & 'params'>;
/** A form: its values, and how it stands with the server. */
export interface Form<Data extends object, Answer = unknown> {
    /** The values. Under a name of their own, so that a field may be called anything. */
    data: Data;
    /** The first message per field that was refused. */
    errors: FormErrors<Data>;
    /** What was said about the form as a whole: the message of a refusal that names no field. */
    error: string | undefined;
    /** Whether it is on its way. A second submission meanwhile returns the promise of the first. */
    readonly processing: boolean;
    /** How far the upload has come, while it is on its way and `progress` was asked for. */
    readonly progress: Progress | undefined;
    /** Whether the values differ from those at the start, or at the last {@link commit}. */
    readonly isDirty: boolean;
    /** True for two seconds after a success: long enough to say "Saved". */
    readonly recentlySuccessful: boolean;
    post: Submit<Answer, 'POST'>;
    put: Submit<Answer, 'PUT'>;
    patch: Submit<Answer, 'PATCH'>;
    delete: Submit<Answer, 'DELETE'>;
    /** Sends the form with any of the methods. */
    submit<T = Answer>(method: FormMethod, path: string, options?: SubmitOptions): Promise<T | undefined>;
    /** Ends what is on its way. Its promise resolves with `undefined`. */
    cancel(): void;
    /** Sets values, such as those that were just loaded. */
    fill(values: Partial<Data>): void;
    /** Makes the values of now those that {@link reset} returns to. It never happens by itself. */
    commit(): void;
    /** Returns the named fields, or all, to where they were at the start or at the last {@link commit}. */
    reset(...fields: (keyof Data & string)[]): void;
    /** Removes the messages of the named fields, or all, the one about the whole form among them. */
    clearErrors(...fields: ((keyof Data & string) | (string & {}))[]): void;
}
export {};
