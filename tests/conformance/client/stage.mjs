// Our engine on a stage, and people with the official client in their hands.

import { after, test } from 'node:test';
import assert from 'node:assert/strict';

import { createAuthClient } from 'better-auth/client';
import {
  adminClient, anonymousClient, deviceAuthorizationClient, emailOTPClient, jwtClient, lastLoginMethodClient, magicLinkClient, multiSessionClient, oneTimeTokenClient, organizationClient, twoFactorClient, usernameClient,
} from 'better-auth/client/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { adminAc, defaultStatements, memberAc, ownerAc } from 'better-auth/plugins/organization/access';
import { apiKeyClient } from '@better-auth/api-key/client';
import { passkeyClient } from '@better-auth/passkey/client';

import { Authenticator } from '../harness/authenticator.mjs';
import { Jar, parseSetCookie } from '../harness/jar.mjs';
import { startOurs } from '../harness/ours.mjs';
import { consent, Imitation } from '../harness/provider/imitation.mjs';
import { everything, hasProviders, NOON } from '../harness/setup.mjs';
import { totp } from '../harness/totp.mjs';

export const PASSWORD = 'correct horse battery';

const houses = organizationClient({
  ac: createAccessControl(defaultStatements), roles: { owner: ownerAc, admin: adminAc, member: memberAc },
  teams: { enabled: true }, dynamicAccessControl: { enabled: true },
});

const served = new Set();
const driven = new Set();

/**
 * @param {string} name a sentence about behaviour
 * @param {object} more what the setup has besides everything
 * @param {(stage: Stage) => Promise<void>} run
 */
export function flow(name, more, run) {
  // spec: ENG-5
  test(name, async () => {
    const stage = await Stage.open(more);
    try {
      await run(stage);
    } finally {
      await stage.engine.close();
      await stage.imitation?.close();
    }
  });
}

// A flow for every endpoint: what the client can do and no flow did is a gap in this suite.
after(() => {
  if (process.env.CONFORMANCE_PART) return;
  assert.ok(served.size > 20, 'the engine served next to nothing');
  const forgotten = [...served].filter((endpoint) => !driven.has(endpoint));
  assert.deepEqual(forgotten, [], 'endpoints that no flow drove');
});

export class Stage {
  now = NOON;

  static async open(more) {
    // No address of its own: the client finds it where it listens.
    const { options: { baseURL: _, ...options }, ...setup } = everything({ twoFactor: {}, bearer: {}, passkey: {}, ...more });
    const stage = new Stage();
    if (hasProviders({ ...setup, options })) {
      stage.imitation = await Imitation.start(() => stage.now);
      setup.imitation = stage.imitation.entrance('ours');
    }
    stage.engine = await startOurs({ ...setup, callbacks: [...setup.callbacks, 'sendOTP'], options, now: NOON });
    stage.endpoints = await stage.engine.endpoints();
    for (const { method, path } of stage.endpoints) served.add(`${method} ${path}`);
    return stage;
  }

  /** Someone with a browser of their own. */
  person(name = 'Ada') {
    return new Person(this, name);
  }

  async advance(seconds) {
    this.now += seconds * 1000;
    await this.engine.advance(seconds * 1000);
  }

  /** The only mail since the last time. */
  async mail(kind) {
    const mails = await this.engine.mails();
    assert.deepEqual(mails.map((mail) => mail.kind), [kind]);
    return mails[0];
  }

  code(uri) {
    return totp(uri, { now: this.now });
  }

  note(method, url) {
    const path = url.pathname.replace('/api/auth', '').replace(/^\/reset-password\/.+/, '/reset-password/:token').replace(/^\/callback\/.+/, '/callback/:id');
    driven.add(`${method} ${path}`);
  }
}

export class Person {
  jar = new Jar();
  redirected = false;

  constructor(stage, name) {
    this.stage = stage;
    this.card = { name, email: `${name.toLowerCase()}@example.com`, password: PASSWORD };
    this.client = createAuthClient({
      baseURL: stage.engine.origin,
      fetchOptions: { customFetchImpl: (url, init) => this.fetch(url, init) },
      plugins: [twoFactorClient({ onTwoFactorRedirect: () => { this.redirected = true; } }), passkeyClient(), adminClient(), apiKeyClient(), anonymousClient(), deviceAuthorizationClient(), emailOTPClient(), magicLinkClient(), lastLoginMethodClient(), multiSessionClient(), usernameClient(), oneTimeTokenClient(), jwtClient(), houses],
    });
  }

  /** `fetch` with a browser's cookies and its origin. */
  async fetch(url, init = {}) {
    const headers = new Headers(init.headers);
    const cookie = this.jar.header();
    if (cookie && !headers.has('authorization')) headers.set('cookie', cookie);
    headers.set('origin', this.stage.engine.origin);
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    this.stage.note(init.method?.toUpperCase() ?? 'GET', new URL(url));
    this.jar.take(response.headers.getSetCookie().map(parseSetCookie));
    return response;
  }

  /** Holds the security key to this person's browser while something is done with it. */
  async touching(key, work) {
    const before = { navigator: globalThis.navigator, PublicKeyCredential: globalThis.PublicKeyCredential };
    globalThis.navigator = { credentials: key.credentials(this.stage.engine.origin) };
    globalThis.PublicKeyCredential = class {};
    try {
      return await work();
    } finally {
      Object.assign(globalThis, before);
    }
  }

  /** Opens a link of a mail. */
  open(url) {
    return this.fetch(url);
  }

  /** Says yes at the provider, and comes back. @param {string} url where the engine sent this person */
  consent(provider, url) {
    const back = new URLSearchParams(consent(url));
    return this.fetch(`${this.stage.engine.origin}/api/auth/callback/${provider}?${back}`);
  }

  async signUp(more = {}) {
    return good(await this.client.signUp.email({ ...this.card, ...more }));
  }

  signIn(more = {}) {
    const { email, password } = this.card;
    return this.client.signIn.email({ email, password, ...more });
  }

  async session() {
    return good(await this.client.getSession());
  }
}

export { Authenticator };

/** The data of a call that worked. */
export function good({ data, error }) {
  assert.equal(error, null, `refused: ${JSON.stringify(error)}`);
  return data;
}

/** A refusal, with the status and the code that the client hands on. */
export function refused({ data, error }, status, code) {
  assert.equal(data, null);
  assert.equal(error.status, status);
  assert.equal(error.code, code);
  return error;
}
