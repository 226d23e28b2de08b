/**
 * The form helper for React.
 *
 * @module
 */
import type { Form, FormOptions } from './form/types.js';
export type { Form, FormErrors, FormMethod, FormOptions, Submit, SubmitOptions } from './form/types.js';
/**
 * A form that draws the component again when it changes. Values are set with `form.fill({ email })`, and what it returns
 * is a new object after every change, so memoised children see it.
 *
 * What is on its way is cancelled when the component is unmounted.
 *
 * ```ts
 * const form = useForm({ email: '', password: '' }, { onRedirect: (to) => location.assign(to) })
 * ```
 */
export declare function useForm<Data extends object, Answer = unknown>(initial: Data, options?: FormOptions<Data, Answer>): Form<Data, Answer>;
