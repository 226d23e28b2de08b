/**
 * The form helper for Svelte.
 *
 * @module
 */
import type { Form, FormOptions } from './form/types.js';
export type { Form, FormErrors, FormMethod, FormOptions, Submit, SubmitOptions } from './form/types.js';
/** A form as a Svelte store. */
export interface FormStore<Data extends object, Answer = unknown> {
    /** Hands over the form, now and after every change. */
    subscribe(run: (form: Form<Data, Answer>) => void): () => void;
    /** What Svelte calls after `$form.data.email = …`, and so what `bind:value={$form.data.email}` needs. */
    set(form: Form<Data, Answer>): void;
}
/**
 * A form as a store: `bind:value={$form.data.email}`, `$form.errors.email`, `onsubmit={() => $form.post('/sign-in')}`.
 *
 * What is on its way is cancelled when nobody is subscribed any more, which is when the component is destroyed.
 *
 * ```ts
 * const form = useForm({ email: '', password: '' }, { onRedirect: (to) => location.assign(to) })
 * ```
 */
export declare function useForm<Data extends object, Answer = unknown>(initial: Data, options?: FormOptions<Data, Answer>): FormStore<Data, Answer>;
