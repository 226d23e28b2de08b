/**
 * The form helper for Vue.
 *
 * @module
 */
import type { Form, FormOptions } from './form/types.js';
export type { Form, FormErrors, FormMethod, FormOptions, Submit, SubmitOptions } from './form/types.js';
/**
 * A reactive form: `v-model="form.data.email"`, `form.errors.email`, `@submit.prevent="form.post('/sign-in')"`.
 *
 * What is on its way is cancelled when the component is unmounted.
 *
 * ```ts
 * const form = useForm({ email: '', password: '' }, { onRedirect: (to) => location.assign(to) })
 * ```
 */
export declare function useForm<Data extends object, Answer = unknown>(initial: Data, options?: FormOptions<Data, Answer>): Form<Data, Answer>;
