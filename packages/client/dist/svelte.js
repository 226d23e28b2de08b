/**
 * The form helper for Svelte.
 *
 * @module
 */
import { createForm } from './form/form.js';
/**
 * A form as a store: `bind:value={$form.data.email}`, `$form.errors.email`, `onsubmit={() => $form.post('/sign-in')}`.
 *
 * What is on its way is cancelled when nobody is subscribed any more, which is when the component is destroyed.
 *
 * ```ts
 * const form = useForm({ email: '', password: '' }, { onRedirect: (to) => location.assign(to) })
 * ```
 */
export function useForm(initial, options = {}) {
    const readers = new Set();
    const changed = () => readers.forEach((run) => run(form));
    const form = createForm(initial, () => options, { watch: (form) => form, changed });
    return {
        subscribe(run) {
            // Wrapped, so that one function can subscribe twice.
            const reader = (form) => run(form);
            readers.add(reader);
            run(form);
            return () => {
                if (readers.delete(reader) && !readers.size)
                    form.cancel();
            };
        },
        set: changed,
    };
}
