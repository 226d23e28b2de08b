import { send } from '../default.js';
import { isInvalid } from '../errors/guards.js';
import { copy, same } from './values.js';
/** How long a success is recent, in milliseconds. */
const RECENT = 2000;
/** The form, without a framework. The adapters add how changes are seen and when it ends. */
export function createForm(initial, options, { watch, changed }) {
    let running;
    let end;
    let timer;
    function set(change) {
        Object.assign(form, change);
        changed();
    }
    function recent(recentlySuccessful) {
        clearTimeout(timer);
        if (recentlySuccessful)
            timer = setTimeout(recent, RECENT, false);
        set({ recentlySuccessful });
    }
    async function run(method, path, { progress, ...more }) {
        const { signal } = (end = new AbortController());
        let answer;
        let redirect;
        try {
            const { client, token, transform } = options();
            const data = copy(form.data);
            const sent = await (client?.send ?? send)(path, {
                ...more,
                method: method.toUpperCase(),
                body: transform ? transform(data) : data,
                token: token?.(),
                signal,
                onProgress: progress ? (progress) => set({ progress }) : undefined,
                onRedirect: (to) => (redirect = to),
            });
            answer = sent.data;
        }
        catch (error) {
            if (signal.aborted)
                return;
            if (!isInvalid(error))
                throw error;
            const first = Object.entries(error.errors).map(([field, messages]) => [field, [messages].flat()[0]]);
            // A refusal that names no field is about the form as a whole.
            set(first.length ? { errors: Object.fromEntries(first) } : { error: error.message });
            return;
        }
        finally {
            running = undefined;
            set({ processing: false, progress: undefined });
        }
        if (signal.aborted)
            return;
        recent(true);
        // Read again: what was given with the last drawing counts.
        const { onSuccess, onRedirect } = options();
        redirect ??= answer?.redirect;
        await onSuccess?.(answer);
        if (typeof redirect == 'string') {
            if (onRedirect)
                await onRedirect(redirect);
            else
                console.warn(`${path} redirects to ${redirect}; nothing moves, because the form has no onRedirect`);
        }
        return answer;
    }
    function submit(method, path, more = {}) {
        if (!running) {
            recent(false);
            set({ errors: {}, error: undefined, processing: true });
            running = run(method, path, more);
        }
        return running;
    }
    const verb = (method) => (path, more) => submit(method, path, more);
    const form = watch({
        data: copy(initial),
        defaults: copy(initial),
        errors: {},
        error: undefined,
        processing: false,
        progress: undefined,
        recentlySuccessful: false,
        get isDirty() {
            return !same(this.data, this.defaults);
        },
        submit,
        post: verb('post'),
        put: verb('put'),
        patch: verb('patch'),
        delete: verb('delete'),
        cancel() {
            end?.abort();
            recent(false);
        },
        fill: (values) => set({ data: Object.assign(form.data, copy(values)) }),
        commit: () => set({ defaults: copy(form.data) }),
        reset(...fields) {
            form.fill(pick(form.defaults, fields));
            form.clearErrors(...fields);
        },
        clearErrors: (...fields) => set(fields.length ? { errors: omit(form.errors, fields) } : { errors: {}, error: undefined }),
    });
    return form;
}
/** The named parts of a value, or all when none is named. */
function pick(value, names) {
    return names.length ? Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name))) : value;
}
/** A value without the named parts. */
function omit(value, names) {
    return Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name)));
}
