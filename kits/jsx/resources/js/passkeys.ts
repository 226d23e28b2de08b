// Passkeys: the browser's part of the three ceremonies. The engine below /api/auth gives the question and judges the
// answer; the device keeps the key.

import { all, onAction } from './dom'

const engine = '/api/auth/passkey'

/** Answers of the engine that mean: first show that it is you. The page below asks, and leads back here. */
const needsMore = ['PASSWORD_CONFIRMATION_REQUIRED', 'EMAIL_NOT_VERIFIED']
const askMore = '/settings/passkeys/add'

/** Connects the page: adding one, signing in by button or from the e-mail field, confirming. */
export function startPasskeys(): void {
  const supported = typeof PublicKeyCredential !== 'undefined' && 'parseCreationOptionsFromJSON' in PublicKeyCredential
  for (const place of all('[data-passkey]')) {
    if (supported) continue
    const purpose = place.dataset['passkey']
    // Without support the way by password is all there is; the page to add one says why.
    if (purpose !== 'add') place.hidden = true
    else refuse(place, isSecureContext ? 'unsupported' : 'insecure')
  }
  if (!supported) return
  const add = document.querySelector<HTMLElement>('[data-passkey="add"]')
  if (add) startAdding(add)
  const signIn = document.querySelector<HTMLElement>('[data-passkey="sign-in"]')
  if (signIn) startSigningIn(signIn)
  const confirm = document.querySelector<HTMLElement>('[data-passkey="confirm"]')
  if (confirm) onAction('passkey-confirm', () => void confirmIdentity(confirm))
}

function startAdding(place: HTMLElement): void {
  const form = place.querySelector<HTMLFormElement>('form')
  const name = place.querySelector<HTMLInputElement>('[name="name"]')
  if (!form || !name) return
  name.value ||= deviceName()
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (form.ariaBusy === 'true') return
    form.ariaBusy = 'true'
    void ceremony(place, async () => {
      const wanted = name.value.trim() || deviceName()
      const query = new URLSearchParams({ name: wanted })
      const options = await ask<PublicKeyCredentialCreationOptionsJSON>(`${engine}/generate-register-options?${query}`)
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
      const credential = await navigator.credentials.create({ publicKey })
      await ask(`${engine}/verify-registration`, { response: toJson(credential), name: wanted })
      location.reload()
    })
  })
}

function startSigningIn(place: HTMLElement): void {
  let autofill: AbortController | undefined

  const signIn = async (response: unknown): Promise<void> => {
    const rememberMe = document.querySelector<HTMLInputElement>('#remember')?.checked ?? true
    await ask(`${engine}/verify-authentication`, { response, rememberMe })
    location.assign(place.dataset['destination'] || '/')
  }

  // A browser runs one ceremony at a time: the one that waits in the e-mail field makes room for the button's.
  onAction('passkey-sign-in', () => {
    autofill?.abort()
    void ceremony(place, async () => signIn(await assertion({})))
  })

  const offer = async (): Promise<void> => {
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return
    autofill = new AbortController()
    // Nobody asked for this one: until a passkey is chosen, nothing about it is worth a word.
    const response = await assertion({ mediation: 'conditional', signal: autofill.signal }).catch(() => undefined)
    if (response !== undefined) await ceremony(place, () => signIn(response))
  }
  void offer()
}

async function confirmIdentity(place: HTMLElement): Promise<void> {
  const form = place.querySelector<HTMLFormElement>('form')
  const field = place.querySelector<HTMLInputElement>('[name="response"]')
  if (!form || !field) return
  await ceremony(place, async () => {
    field.value = JSON.stringify(await assertion({}))
    form.requestSubmit()
  })
}

/** Lets the device sign the engine's challenge. */
async function assertion(extra: CredentialRequestOptions): Promise<unknown> {
  const url = `${engine}/generate-authenticate-options`
  // The signal covers the question too: a late answer would replace the challenge of the ceremony that came after.
  const options = await ask<PublicKeyCredentialRequestOptionsJSON>(url, undefined, extra.signal)
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  return toJson(await navigator.credentials.get({ ...extra, publicKey }))
}

/** Runs a ceremony. What goes wrong is said on the page; that somebody changed their mind is not wrong. */
async function ceremony(place: HTMLElement, run: () => Promise<void>): Promise<void> {
  const note = place.querySelector<HTMLElement>('[data-passkey-error]')
  if (note) note.hidden = true
  try {
    await run()
  } catch (error) {
    if (error instanceof Refused && needsMore.includes(error.message)) return location.assign(askMore)
    if (isCancelled(error) || !note) return
    note.textContent = note.dataset[reason(error)] ?? note.dataset['failed'] ?? ''
    note.hidden = false
  } finally {
    // Adding one is a form that is never sent.
    for (const form of all('form[aria-busy]', place)) form.removeAttribute('aria-busy')
  }
}

function isCancelled(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'NotAllowedError' || error.name === 'AbortError')
}

/** What the engine refused, by its code. */
class Refused extends Error {}

/** Which of the sentences in src/views/components/passkey_error.rs says it. */
function reason(error: unknown): 'failed' | 'known' | 'stale' | 'unknown' {
  if (error instanceof DOMException && error.name === 'InvalidStateError') return 'known'
  if (!(error instanceof Refused)) return 'failed'
  if (error.message === 'SESSION_NOT_FRESH') return 'stale'
  return error.message === 'PASSKEY_NOT_FOUND' ? 'unknown' : 'failed'
}

/** One question to the engine: GET without a body, POST with one. */
async function ask<T>(url: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch(url, {
    signal: signal ?? null,
    method: body === undefined ? 'GET' : 'POST',
    headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer as T
  throw new Refused(code(answer) ?? String(response.status))
}

function code(answer: unknown): string | undefined {
  const hasCode = typeof answer === 'object' && answer !== null && 'code' in answer
  return hasCode && typeof answer.code === 'string' ? answer.code : undefined
}

function toJson(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new TypeError('The browser gave no passkey.')
  return credential.toJSON()
}

function refuse(place: HTMLElement, why: 'unsupported' | 'insecure'): void {
  place.querySelector<HTMLElement>(`[data-passkey-${why}]`)?.removeAttribute('hidden')
  place.querySelector<HTMLElement>('[data-passkey-form]')?.setAttribute('hidden', '')
}

/** A first name for a new passkey: the browser and what it runs on. */
function deviceName(): string {
  const agent = navigator.userAgent
  const find = (known: [RegExp, string][]): string | undefined => known.find(([sign]) => sign.test(agent))?.[1]
  const browser = find([[/Edg/, 'Edge'], [/OPR/, 'Opera'], [/Firefox|FxiOS/, 'Firefox'], [/Chrome|CriOS/, 'Chrome'], [/Safari/, 'Safari']])
  const system = find([[/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android/, 'Android'], [/Mac OS X/, 'macOS'], [/Windows/, 'Windows'], [/CrOS/, 'ChromeOS'], [/Linux/, 'Linux']])
  return [browser ?? 'Browser', system].filter(Boolean).join(' on ')
}
