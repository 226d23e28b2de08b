// Our engine and a page that uses it, in chromium, with security keys that DevTools emulates.

import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';
import { chromium } from 'playwright-core';

import { startOurs } from '../harness/ours.mjs';
import { everything } from '../harness/setup.mjs';

const executablePath = process.env.HOUSEKEY_CHROMIUM ?? '/usr/bin/chromium';
const here = (file) => fileURLToPath(new URL(file, import.meta.url));

/** Quiet and without a network of its own: the browser talks to the server under test and to nobody else. */
const args = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
  '--disable-sync',
];

/** A key in the device that asks for a finger, and finds one. */
const KEY = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
};

/**
 * @param {string} name a sentence about behaviour
 * @param {(house: House) => Promise<void>} run
 */
export function visit(name, run) {
  test(name, { timeout: 300_000 }, async () => {
    const house = await House.open();
    try {
      await run(house);
    } finally {
      await house.close();
    }
  });
}

class House {
  static async open() {
    const house = new House();
    const { options: { baseURL: _, ...options }, ...setup } = everything({ passkey: {}, host: 'localhost' });
    house.engine = await startOurs({ ...setup, options });
    house.browser = await chromium.launch({ executablePath, headless: true, args });
    house.files = {
      '/': { contentType: 'text/html', body: await readFile(here('passkeys.html'), 'utf8') },
      '/client.js': { contentType: 'text/javascript', body: await bundle() },
    };
    return house;
  }

  /** Someone at a browser of their own, with a key of their own. */
  async visitor(name = 'Ada') {
    const context = await this.browser.newContext();
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    for (const [path, file] of Object.entries(this.files)) {
      await page.route(`${this.engine.origin}${path}`, (route) => route.fulfill(file));
    }
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await page.goto(this.engine.origin);
    await page.waitForFunction(() => 'client' in window);
    return new Visitor(page, devtools, name);
  }

  async close() {
    await this.browser?.close();
    await this.engine.close();
  }
}

class Visitor {
  constructor(page, devtools, name) {
    this.page = page;
    this.devtools = devtools;
    this.card = { name, email: `${name.toLowerCase()}@example.com`, password: 'correct horse battery' };
  }

  /** Plugs a key in. */
  async plugIn(options = {}) {
    const { authenticatorId } = await this.devtools.send('WebAuthn.addVirtualAuthenticator', { options: { ...KEY, ...options } });
    this.key = authenticatorId;
  }

  /** What the key holds. */
  async credentials() {
    return (await this.devtools.send('WebAuthn.getCredentials', { authenticatorId: this.key })).credentials;
  }

  /** Puts a credential into the key: a copy of one that another key holds. */
  async copyIn(credential) {
    await this.devtools.send('WebAuthn.addCredential', { authenticatorId: this.key, credential });
  }

  /** Calls the client that the page has: `call('passkey.addPasskey', { name })`. */
  call(method, argument) {
    return this.page.evaluate(
      async ([path, given]) => {
        const call = path.split('.').reduce((at, key) => at[key], window.client);
        const { data, error } = await call(given);
        return { data, error: error && { status: error.status, code: error.code } };
      },
      [method, argument],
    );
  }

  signUp() {
    return this.call('signUp.email', this.card);
  }

  async session() {
    return (await this.call('getSession')).data;
  }
}

let bundled;

/** The page's script with the client in it, for a browser. */
function bundle() {
  bundled ??= build({ entryPoints: [here('entry.mjs')], bundle: true, format: 'esm', platform: 'browser', write: false, logLevel: 'error' });
  return bundled.then(({ outputFiles }) => outputFiles[0].text);
}
