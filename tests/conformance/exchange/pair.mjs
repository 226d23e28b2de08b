// Two deployments on one database file: one writes, the other reads.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import assert from 'node:assert/strict';

import { forward, freeze } from '../harness/clock.mjs';
import { Jar, parseSetCookie } from '../harness/jar.mjs';
import { startOurs } from '../harness/ours.mjs';
import { Imitation } from '../harness/provider/imitation.mjs';
import { startReference } from '../harness/reference.mjs';
import { query } from '../harness/rows.mjs';
import { everything, hasProviders, merge, NOON, ORIGIN } from '../harness/setup.mjs';
import { totp } from '../harness/totp.mjs';

export const PASSWORD = 'correct horse battery';

/** In a database that JavaScript deployments share, passwords are hashed as they do it. */
const shared = { emailAndPassword: { password: { hasher: 'betterAuthScrypt' } } };

const starters = { ours: startOurs, reference: startReference };

/**
 * Runs an exchange twice: what ours writes the reference reads, and the other way round. Whoever writes also makes the tables.
 *
 * @param {string} name a sentence about behaviour
 * @param {(pair: { writer: Deployment, reader: Deployment, rows: Function, advance: Function, imitation?: Imitation }) => Promise<void>} run
 * @param {object} [more] what the setup has besides everything
 * @param {object} [reading] options of whoever reads, over the others
 */
export function exchange(name, run, more = {}, reading = {}) {
  for (const [first, second] of [['ours', 'reference'], ['reference', 'ours']]) {
    test(`${name}: ${first} writes, ${second} reads`, async () => {
      freeze(NOON);
      const folder = await mkdtemp(join(tmpdir(), 'housekey-exchange-'));
      const database = join(folder, 'auth.sqlite');
      const setup = everything({ twoFactor: {}, bearer: {}, ours: shared, ...more, database, now: NOON });
      const imitation = hasProviders(setup) ? await Imitation.start() : undefined;
      const start = (name, options) => starters[name]({ ...setup, options, imitation: imitation?.entrance(name) });
      const sides = [];
      try {
        sides.push(await start(first, setup.options));
        sides.push(await start(second, merge(setup.options, reading)));
        const [writer, reader] = sides.map((side) => new Deployment(side));
        await run({ writer, reader, imitation, rows: (sql, ...values) => query(database, sql, ...values), advance: (seconds) => advance(sides, seconds) });
      } finally {
        for (const side of sides) await side.close();
        await imitation?.close();
        await rm(folder, { recursive: true });
      }
    });
  }
}

async function advance(sides, seconds) {
  forward(seconds * 1000);
  for (const side of sides) await side.advance(seconds * 1000);
}

/** One of the two, and a browser that can be carried from one to the other. */
export class Deployment {
  constructor(side) {
    this.side = side;
  }

  async call(path, json, jar = new Jar()) {
    const cookie = jar.header();
    const headers = { ...(json ? { 'content-type': 'application/json' } : {}), ...(cookie ? { cookie, origin: ORIGIN } : {}) };
    const raw = await this.side.send({ method: json ? 'POST' : 'GET', path: `/api/auth${path}`, headers, body: json && JSON.stringify(json) });
    jar.take(raw.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => parseSetCookie(value)));
    const location = raw.headers.find(([name]) => name === 'location')?.[1];
    return { status: raw.status, location, json: raw.text ? JSON.parse(raw.text) : undefined };
  }

  /** A call that must work. */
  async ok(path, json, jar) {
    const answer = await this.call(path, json, jar);
    assert.equal(answer.status, 200, `${this.side.name} ${path}: ${JSON.stringify(answer.json)}`);
    return answer.json;
  }

  signUp(jar) {
    return this.ok('/sign-up/email', { name: 'Ada', email: 'ada@example.com', password: PASSWORD }, jar);
  }

  signIn(jar, more = {}) {
    return this.call('/sign-in/email', { email: 'ada@example.com', password: PASSWORD, ...more }, jar);
  }

  session(jar) {
    return this.ok('/get-session', undefined, jar);
  }
}

export { Jar, totp };
