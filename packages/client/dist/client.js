import { Aborted } from './errors/aborted.js';
import { isExpired, needsPasswordConfirmation } from './errors/guards.js';
import { Offline } from './errors/offline.js';
import { embedded } from './page.js';
import { address } from './request/address.js';
import { read } from './request/answer.js';
import { isRaw } from './request/encode.js';
import { ownPath } from './request/origin.js';
import { shared } from './request/shared.js';
import { viaFetch, viaXhr } from './request/transport.js';
/**
 * Makes a client of its own, for another prefix or in a test. Most apps use the ready-made one and `configure` it.
 *
 * ```ts
 * const { http } = createClient({ prefix: '/admin/api', timeout: 10_000 })
 * ```
 */
export function createClient(options = {}) {
    const settings = { prefix: '/api', session: '/session', ...options };
    let csrf;
    let refusal;
    const renewal = shared(() => session().then(() => !!csrf, () => false));
    const confirmation = shared(async () => (await settings.onConfirm?.(refusal)) === true);
    async function send(path, options = {}) {
        const renewals = renewal.ended;
        const confirmations = confirmation.ended;
        let renewed = false;
        let confirmed = false;
        for (;;) {
            try {
                return await attempt(path, options, renewed);
            }
            catch (error) {
                if (isExpired(error) && !renewed) {
                    // The session has another token by now, after a sign-in in another tab for one.
                    renewed = await renewal.join(renewals);
                    if (renewed)
                        continue;
                }
                else if (needsPasswordConfirmation(error) && !confirmed && options.confirm !== false) {
                    refusal = error;
                    confirmed = await confirmation.join(confirmations);
                    if (confirmed)
                        continue;
                }
                throw error;
            }
        }
    }
    async function attempt(path, options, renewed) {
        const { method = 'GET', prefix = settings.prefix, timeout = settings.timeout, signal, onProgress, onRedirect } = options;
        const url = address(prefix, path, options.params, options.query);
        const headers = new Headers({ accept: 'application/json' });
        let body;
        if (!/GET|HEAD/.test(method)) {
            const token = (!renewed && options.token) || csrf || embedded().csrf;
            // Another origin has no business with it.
            if (token && (!globalThis.location || ownPath(url)))
                headers.set('x-csrf-token', token);
            if (isRaw(options.body))
                body = options.body;
            else if (options.body) {
                body = JSON.stringify(options.body);
                headers.set('content-type', 'application/json');
            }
        }
        for (const more of [settings.headers, options.headers]) {
            new Headers(more).forEach((value, name) => headers.set(name, value));
        }
        const what = `${method} ${path}`;
        const end = AbortSignal.any([signal, timeout && AbortSignal.timeout(timeout)].filter((each) => !!each));
        let answer;
        try {
            const outgoing = { url, method, headers, body, signal: end };
            answer = await (onProgress ? viaXhr(outgoing, onProgress) : viaFetch(outgoing));
        }
        catch (cause) {
            if (!end.aborted)
                throw new Offline(`${what} did not reach the server`, { status: 0, cause });
            throw new Aborted(`${what} was ended early`, { status: 0, cause: end.reason });
        }
        return read(answer, what, onRedirect);
    }
    async function session() {
        const { data } = await attempt(settings.session, {});
        csrf = data.csrf;
        return data;
    }
    const call = async (path, options) => (await send(path, options)).data;
    const verb = (method) => (path, options) => call(path, { ...options, method });
    const http = {
        get: verb('GET'),
        post: verb('POST'),
        put: verb('PUT'),
        patch: verb('PATCH'),
        delete: verb('DELETE'),
    };
    return { http: http, call, send, session, configure: (more) => void Object.assign(settings, more) };
}
