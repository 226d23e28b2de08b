import { call } from '../default.js';
import { isAborted } from '../errors/guards.js';
import { deviceName } from './device-name.js';
import { authenticationJson, creationOptions, registrationJson, requestOptions } from './json.js';
import { autofillSupported, supported } from './support.js';
/** Makes the ceremonies for an engine at another place than `/api/auth`. */
export function createPasskeys(options = {}) {
    const { prefix = '/api/auth' } = options;
    const ask = options.client?.call ?? call;
    /** The browser holds one ceremony at a time, so the last one that was asked for goes. */
    let current;
    let filling;
    let asked;
    function stop() {
        current?.abort();
        current = filling = undefined;
    }
    async function ceremony(able, hold) {
        stop();
        const { signal } = (current = new AbortController());
        try {
            if (!(await able))
                return { outcome: 'unsupported' };
            return { outcome: 'done', answer: await hold(signal) };
        }
        catch (error) {
            if (signal.aborted || isAborted(error))
                return { outcome: 'cancelled' };
            const { name } = error;
            // Browsers do not tell a refusal from a dialog that ran out, lest a site learn what keys there are.
            if (name == 'NotAllowedError' || name == 'AbortError')
                return { outcome: 'cancelled' };
            throw error;
        }
    }
    async function prove(signal, mediation) {
        const json = await ask('/passkey/generate-authenticate-options', { prefix, signal });
        const how = mediation && { mediation };
        const credential = await navigator.credentials.get({ publicKey: requestOptions(json), signal, ...how });
        return authenticationJson(credential);
    }
    async function authenticate(signal, remember, mediation) {
        const body = { response: await prove(signal, mediation), rememberMe: remember() };
        return ask('/passkey/verify-authentication', { method: 'POST', prefix, signal, body });
    }
    return {
        stop,
        register: ({ name = deviceName() } = {}) => ceremony(supported(), async (signal) => {
            const json = await ask('/passkey/generate-register-options', { prefix, signal });
            const credential = await navigator.credentials.create({ publicKey: creationOptions(json), signal });
            const body = { name, response: registrationJson(credential) };
            return ask('/passkey/verify-registration', { method: 'POST', prefix, signal, body });
        }).catch((error) => {
            if (error.name == 'InvalidStateError')
                return { outcome: 'exists' };
            throw error;
        }),
        assert: () => ceremony(supported(), prove),
        signIn: ({ remember } = {}) => ceremony(supported(), (signal) => authenticate(signal, () => remember)),
        autofill(onSuccess, { remember } = {}) {
            // Whoever asked last is on the screen.
            asked = { onSuccess, remember };
            if (filling)
                return filling;
            const held = ceremony(autofillSupported(), (signal) => authenticate(signal, () => asked.remember?.(), 'conditional'));
            const mine = held.finally(() => {
                if (filling == mine)
                    filling = undefined;
            });
            filling = mine;
            return mine.then(async (outcome) => {
                if (outcome.outcome == 'done')
                    await asked.onSuccess(outcome.answer);
                return outcome;
            });
        },
    };
}
