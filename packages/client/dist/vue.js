/**
 * The form helper for Vue.
 *
 * @module
 */
import { getCurrentScope, onScopeDispose, reactive } from 'vue';
import { createForm } from './form/form.js';
/**
 * A reactive form: `v-model="form.data.email"`, `form.errors.email`, `@submit.prevent="form.post('/sign-in')"`.
 *
 * What is on its way is cancelled when the component is unmounted.
 *
 * ```ts
 * const form = useForm({ email: '', password: '' }, { onRedirect: (to) => location.assign(to) })
 * ```
 */
export function useForm(initial, options = {}) {
    const watch = (form) => reactive(form);
    const form = createForm(initial, () => options, { watch, changed() { } });
    if (getCurrentScope())
        onScopeDispose(form.cancel);
    return form;
}
