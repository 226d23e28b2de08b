import type { Client } from '../client.js'
import { call } from '../default.js'
import { isAborted } from '../errors/guards.js'
import { deviceName } from './device-name.js'
import { authenticationJson, creationOptions, registrationJson, requestOptions } from './json.js'
import { autofillSupported, supported } from './support.js'
import type { Assertion, CreationJson, Outcome, Passkey, RequestJson, SignedIn } from './types.js'

/** Where the ceremonies are held. */
export interface PasskeyOptions {
  /** The engine's base path. Default `/api/auth`. */
  prefix?: string
  /** The client to send with, when it is not the ready-made one. */
  client?: Pick<Client, 'call'>
}

/** The ceremonies. */
export interface Passkeys {
  /** Makes a passkey on this device and registers it with the signed-in account. The name defaults to {@link deviceName}. */
  register(options?: { name?: string }): Promise<Outcome<Passkey> | { outcome: 'exists' }>
  /** Signs in with a passkey that the person picks. */
  signIn(options?: { remember?: boolean }): Promise<Outcome<SignedIn>>
  /**
   * Offers passkeys in the autofill of a field whose `autocomplete` ends in `webauthn`, for as long as the page stands or
   * until {@link signIn} or {@link register} begins. Called again meanwhile it goes on, with the new `onSuccess`.
   */
  autofill(onSuccess: (answer: SignedIn) => unknown, options?: { remember?: () => boolean }): Promise<Outcome<SignedIn>>
  /**
   * Lets a passkey prove that its owner is here, without signing in. The answer goes to a route of the app that judges it,
   * such as the one that confirms the password.
   */
  assert(): Promise<Outcome<Assertion>>
  /** Ends what is under way. */
  stop(): void
}

/** Makes the ceremonies for an engine at another place than `/api/auth`. */
export function createPasskeys(options: PasskeyOptions = {}): Passkeys {
  const { prefix = '/api/auth' } = options
  const ask = options.client?.call ?? call
  /** The browser holds one ceremony at a time, so the last one that was asked for goes. */
  let current: AbortController | undefined
  let filling: Promise<Outcome<SignedIn>> | undefined
  let asked: { onSuccess: (answer: SignedIn) => unknown; remember: (() => boolean) | undefined }

  function stop(): void {
    current?.abort()
    current = filling = undefined
  }

  async function ceremony<T>(able: boolean | Promise<boolean>, hold: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
    stop()
    const { signal } = (current = new AbortController())
    try {
      if (!(await able)) return { outcome: 'unsupported' }
      return { outcome: 'done', answer: await hold(signal) }
    } catch (error) {
      if (signal.aborted || isAborted(error)) return { outcome: 'cancelled' }
      const { name } = error as DOMException
      // Browsers do not tell a refusal from a dialog that ran out, lest a site learn what keys there are.
      if (name == 'NotAllowedError' || name == 'AbortError') return { outcome: 'cancelled' }
      throw error
    }
  }

  async function prove(signal: AbortSignal, mediation?: 'conditional') {
    const json = await ask<RequestJson>('/passkey/generate-authenticate-options', { prefix, signal })
    const how = mediation && { mediation }
    const credential = await navigator.credentials.get({ publicKey: requestOptions(json), signal, ...how })
    return authenticationJson(credential as PublicKeyCredential)
  }

  async function authenticate(signal: AbortSignal, remember: () => boolean | undefined, mediation?: 'conditional') {
    const body = { response: await prove(signal, mediation), rememberMe: remember() }
    return ask<SignedIn>('/passkey/verify-authentication', { method: 'POST', prefix, signal, body })
  }

  return {
    stop,

    register: ({ name = deviceName() } = {}) =>
      ceremony(supported(), async (signal) => {
        const json = await ask<CreationJson>('/passkey/generate-register-options', { prefix, signal })
        const credential = await navigator.credentials.create({ publicKey: creationOptions(json), signal })
        const body = { name, response: registrationJson(credential as PublicKeyCredential) }
        return ask<Passkey>('/passkey/verify-registration', { method: 'POST', prefix, signal, body })
      }).catch((error: DOMException) => {
        if (error.name == 'InvalidStateError') return { outcome: 'exists' }
        throw error
      }),

    assert: () => ceremony(supported(), prove),

    signIn: ({ remember } = {}) => ceremony(supported(), (signal) => authenticate(signal, () => remember)),

    autofill(onSuccess, { remember } = {}) {
      // Whoever asked last is on the screen.
      asked = { onSuccess, remember }
      if (filling) return filling
      const held = ceremony(autofillSupported(), (signal) => authenticate(signal, () => asked.remember?.(), 'conditional'))
      const mine = held.finally(() => {
        if (filling == mine) filling = undefined
      })
      filling = mine
      return mine.then(async (outcome) => {
        if (outcome.outcome == 'done') await asked.onSuccess(outcome.answer)
        return outcome
      })
    },
  }
}
