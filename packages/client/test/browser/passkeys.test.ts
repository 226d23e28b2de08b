import type * as Client from '@housekey/client'
import type * as Passkeys from '@housekey/client/passkeys'
import type { SignedIn } from '@housekey/client/passkeys'
import { beforeAll, expect, test } from 'vitest'
import { open, requests } from '../support/browser.js'
import { bundle } from '../support/bundle.js'
import { startEngine } from '../support/engine.js'
import type { Handler } from '../support/server.js'

declare global {
  var client: typeof Client
  var passkeys: typeof Passkeys
  var greeted: SignedIn[]
}

let script: string
beforeAll(async () => {
  script = await bundle('passkeys.ts')
})

/** A page at an origin where the engine answers, and an authenticator in the browser. Ada has an account and is signed in. */
async function ada() {
  let engine: Handler | undefined
  const html = '<input id="email" autocomplete="username webauthn">'
  const site = await open({ script, html, api: (...request) => engine!(...request) })
  engine = await startEngine(site.origin)
  const { page } = site
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true, isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.waitForFunction(() => 'passkeys' in globalThis)
  await page.evaluate(() =>
    client.http.post('/auth/sign-up/email', { body: { name: 'Ada', email: 'ada@example.com', password: 'correct horse' } }),
  )
  return {
    ...site,
    /** Whether somebody touches the authenticator. */
    presence: (enabled: boolean) => cdp.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled }),
    forget: () => cdp.send('WebAuthn.clearCredentials', { authenticatorId }),
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    signOut: () => page.evaluate(() => client.http.post('/auth/sign-out', { body: {} })),
    whoIsIn: () => page.evaluate(async () => (await client.http.get<{ user: { email: string } } | null>('/auth/get-session'))?.user.email),
    asked: (what: string) => requests(site).filter(({ url }) => url === `/api/auth/passkey/${what}`).length,
  }
}

test('a passkey is registered, and signs in', async () => {
  const { page, signOut, whoIsIn, credentials, arrived, problems } = await ada()
  expect(await page.evaluate(() => passkeys.supported())).toBe(true)
  const made = await page.evaluate(() => passkeys.register({ name: 'My key' }))
  expect(made).toMatchObject({ outcome: 'done', answer: { name: 'My key' } })
  expect(await credentials()).toBe(1)

  await signOut()
  expect(await whoIsIn()).toBeUndefined()
  const signedIn = await page.evaluate(() => passkeys.signIn({ remember: false }))
  expect(signedIn).toMatchObject({ outcome: 'done', answer: { user: { email: 'ada@example.com' } } })
  expect(await whoIsIn()).toBe('ada@example.com')
  const verified = arrived.find(({ url }) => url === '/api/auth/passkey/verify-authentication')!
  expect(JSON.parse(verified.body.toString())).toMatchObject({ rememberMe: false, response: { type: 'public-key' } })
  expect(problems).toEqual([])
})

test('a passkey proves that its owner is here, and nobody is signed in by it', async () => {
  const { page, signOut, whoIsIn, asked, presence, problems } = await ada()
  await page.evaluate(() => passkeys.register())
  await signOut()
  const proof = await page.evaluate(() => passkeys.assert())
  expect(proof).toMatchObject({ outcome: 'done', answer: { type: 'public-key', response: { signature: expect.any(String) } } })
  expect(asked('generate-authenticate-options')).toBe(1)
  expect(asked('verify-authentication')).toBe(0)
  expect(await whoIsIn()).toBeUndefined()

  // What judges it takes it as it is: the engine does, and no second time.
  const verify = (proof: object) =>
    page.evaluate((response) => client.http.post('/auth/passkey/verify-authentication', { body: { response } }).then(() => true, () => false), proof)
  if (proof.outcome !== 'done') throw new Error(proof.outcome)
  expect([await verify(proof.answer), await verify(proof.answer)]).toEqual([true, false])
  expect(await whoIsIn()).toBe('ada@example.com')

  await presence(false)
  const outcome = await page.evaluate(() => {
    setTimeout(() => passkeys.stop(), 100)
    return passkeys.assert()
  })
  expect(outcome).toEqual({ outcome: 'cancelled' })
  expect(problems).toEqual([])
})

test('a passkey without a name is called after browser and system', async () => {
  const { page } = await ada()
  const made = await page.evaluate(() => passkeys.register())
  expect(made).toMatchObject({ outcome: 'done', answer: { name: 'Chrome on Linux' } })
})

test('a device that has one already is told from a failure', async () => {
  const { page, credentials } = await ada()
  await page.evaluate(() => passkeys.register())
  expect(await page.evaluate(() => passkeys.register())).toEqual({ outcome: 'exists' })
  expect(await credentials()).toBe(1)
})

test('what the person does not do is silent', async () => {
  const { page, presence, problems } = await ada()
  expect(await page.evaluate(() => passkeys.signIn())).toEqual({ outcome: 'cancelled' })

  await presence(false)
  const outcome = await page.evaluate(async () => {
    const pending = passkeys.register()
    setTimeout(() => passkeys.stop(), 100)
    return pending
  })
  expect(outcome).toEqual({ outcome: 'cancelled' })
  expect(problems).toEqual([])
})

test('what the server refuses is an error with its code', async () => {
  const { page, signOut, whoIsIn } = await ada()
  const error = await page.evaluate(async () => {
    const made = await passkeys.register()
    if (made.outcome !== 'done') throw new Error(made.outcome)
    await client.http.post('/auth/passkey/delete-passkey', { body: { id: made.answer.id } })
    return passkeys.signIn().catch((error: unknown) => client.isUnauthenticated(error) && error.code)
  })
  expect(error).toBe('PASSKEY_NOT_FOUND')
  await signOut()
  const refused = await page.evaluate(() => passkeys.register().catch(client.isUnauthenticated))
  expect(refused).toBe(true)
  expect(await whoIsIn()).toBeUndefined()
})

test('autofill starts once and tells whoever asked last', async () => {
  const { page, signOut, asked, whoIsIn, arrived, problems } = await ada()
  await page.evaluate(() => passkeys.register())
  await signOut()
  await page.evaluate(async () => {
    greeted = []
    const first = passkeys.autofill(() => greeted.push('stale' as never))
    await Promise.all([first, passkeys.autofill((answer) => greeted.push(answer), { remember: () => false })])
  })
  expect(await page.evaluate(() => greeted.map(({ user }) => user.email))).toEqual(['ada@example.com'])
  expect(asked('generate-authenticate-options')).toBe(1)
  const verified = arrived.find(({ url }) => url === '/api/auth/passkey/verify-authentication')!
  expect(JSON.parse(verified.body.toString())).toMatchObject({ rememberMe: false })
  expect(await whoIsIn()).toBe('ada@example.com')
  expect(problems).toEqual([])
})

test('autofill gives way to the button, and can be started again', async () => {
  const { page, signOut, presence, asked, problems } = await ada()
  await page.evaluate(() => passkeys.register())
  await signOut()
  await presence(false)
  await page.evaluate(() => {
    greeted = []
    Object.assign(globalThis, { filling: passkeys.autofill((answer) => greeted.push(answer)) })
  })
  await expect.poll(() => asked('generate-authenticate-options')).toBe(1)
  await presence(true)
  const outcomes = await page.evaluate(async () => {
    const button = await passkeys.signIn()
    return [button.outcome, (await (globalThis as unknown as { filling: ReturnType<typeof passkeys.autofill> }).filling).outcome]
  })
  expect(outcomes).toEqual(['done', 'cancelled'])
  expect(await page.evaluate(() => greeted)).toEqual([])

  await signOut()
  await page.evaluate(() => passkeys.autofill((answer) => greeted.push(answer)))
  expect(await page.evaluate(() => greeted.length)).toBe(1)
  expect(problems).toEqual([])
})

test('a browser that cannot is told from a person who does not want to', async () => {
  const { page, asked } = await ada()
  const outcomes = await page.evaluate(async () => {
    PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false)
    const conditional = await passkeys.autofill(() => {})
    Object.defineProperty(globalThis, 'PublicKeyCredential', { value: undefined })
    const others = [await passkeys.autofill(() => {}), await passkeys.signIn(), await passkeys.register(), await passkeys.assert()]
    return [passkeys.supported(), ...[conditional, ...others].map(({ outcome }) => outcome)]
  })
  expect(outcomes).toEqual([false, ...Array.from({ length: 5 }, () => 'unsupported')])
  expect(asked('generate-authenticate-options') + asked('generate-register-options')).toBe(0)
})
