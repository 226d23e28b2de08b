// Two engines in lockstep: every request goes to both, every answer is compared.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freeze, forward } from './clock.mjs';
import { compareAnswers, compareValues } from './compare.mjs';
import { describe, Names } from './answer.mjs';
import { Jar, parseSetCookie } from './jar.mjs';
import { startOurs } from './ours.mjs';
import { Imitation } from './provider/imitation.mjs';
import { startReference } from './reference.mjs';
import { change, readRows } from './rows.mjs';
import { hasProviders, NOON, ORIGIN } from './setup.mjs';

let worlds = 0;

/**
 * @typedef {object} Step
 * @property {string} [method] POST with a body, else GET
 * @property {string} path below the base path, with its query
 * @property {unknown} [json] a JSON body
 * @property {string} [body] any other body
 * @property {string | null} [jar] whose cookies: a name, or null for none at all
 * @property {Record<string, string | null>} [headers] null leaves one out that would be sent
 * @property {(body: unknown) => unknown} [read] what of a JSON body is compared, or in which order
 */

export class Both {
  /** @type {import('./compare.mjs').Difference[]} */
  differences = [];
  /** How many answers were compared. */
  answers = 0;

  /** The providers, when the setup has some. @type {Imitation | undefined} */
  imitation;

  static async start({ before, files, ...setup }) {
    freeze(NOON);
    const frozen = { ...setup, now: NOON };
    if (!hasProviders(setup) && !files) return new Both(await startBoth(() => frozen));
    const folder = await mkdtemp(join(tmpdir(), 'housekey-conformance-'));
    // With providers, what was asked of them and what was kept of their answers is compared too.
    const imitation = hasProviders(setup) ? await Imitation.start() : undefined;
    before?.(imitation);
    const of = (side) => ({ ...frozen, imitation: imitation?.entrance(side), database: join(folder, `${side}.sqlite`) });
    try {
      return Object.assign(new Both(await startBoth(of)), { imitation, folder });
    } catch (error) {
      await imitation?.close();
      throw error;
    }
  }

  constructor(sides) {
    worlds += 1;
    // The reference counts requests per process, so every world needs an address of its own.
    this.address = `203.0.113.${worlds % 250}`;
    this.sides = sides.map((side) => ({ ...side, names: new Names(), jars: new Map() }));
  }

  /**
   * @param {string} what this step is, for whoever reads a difference
   * @param {Step | ((side: 'reference' | 'ours') => Step)} step
   * @returns {Promise<{ reference: Answer, ours: Answer }>}
   */
  async send(what, step) {
    const answers = {};
    const described = {};
    let request;
    for (const side of this.sides) {
      request = complete(typeof step === 'function' ? step(side.name) : step);
      const raw = await side.send(this.#raw(side, request));
      const cookies = raw.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => parseSetCookie(value));
      if (request.jar !== null) jarOf(side, request.jar).take(cookies);
      const read = request.read ? { ...raw, text: JSON.stringify(request.read(json(raw.text))) } : raw;
      described[side.name] = await describe(read, side.names);
      answers[side.name] = { ...raw, cookies, json: json(raw.text) };
    }
    this.answers += 1;
    const path = request.path.split('?')[0].replace(/[A-Za-z0-9]{24,}/, ':token');
    this.#note(what, { method: request.method, path }, compareAnswers(described.reference, described.ours));
    return answers;
  }

  /** Takes the mails of both sides out of their postboxes and compares them. */
  async mails(what) {
    const mails = {};
    const described = {};
    for (const side of this.sides) {
      mails[side.name] = await side.mails();
      described[side.name] = side.names.hideAll(mails[side.name]);
    }
    this.#note(what, { method: 'MAIL', path: '' }, compareValues('mail', described.reference, described.ours));
    return mails;
  }

  /**
   * Lets server code of both sides look at an API key, and compares what it finds.
   *
   * @param {(side: 'reference' | 'ours') => object} asked
   * @param {(answer: object) => unknown} [read] what of it is compared
   */
  async verified(what, asked, read = (answer) => answer) {
    const described = {};
    for (const side of this.sides) described[side.name] = side.names.hideAll(read(await side.verifyKey(asked(side.name))));
    this.#note(what, { method: 'KEY', path: 'verify' }, compareValues('answer', described.reference, described.ours));
  }

  /** Compares what the engines asked the providers since the last time. */
  asked(what) {
    const described = this.each((side) => side.names.hideAll(this.imitation.asked(side.name)));
    this.#note(what, { method: 'OUT', path: '' }, compareValues('asked', described.reference, described.ours));
  }

  /** Compares the rows of some tables. */
  async rows(what, ...tables) {
    for (const table of tables) {
      const described = {};
      for (const side of this.sides) described[side.name] = side.names.hideAll(await readRows(join(this.folder, `${side.name}.sqlite`), table));
      this.#note(what, { method: 'ROWS', path: table }, compareValues('rows', described.reference, described.ours));
    }
  }

  /** Changes the rows of both sides behind their backs. @param {string[]} statements */
  change(...statements) {
    for (const { name } of this.sides) change(join(this.folder, `${name}.sqlite`), statements);
  }

  /** @param {number} seconds */
  async advance(seconds) {
    forward(seconds * 1000);
    for (const side of this.sides) await side.advance(seconds * 1000);
  }

  /** One value per side. */
  each(value) {
    return Object.fromEntries(this.sides.map((side) => [side.name, value(side)]));
  }

  /** The cookies of one side's jar, to look at or to tamper with. */
  jar(side, name = 'browser') {
    return jarOf(this.sides.find((other) => other.name === side), name).cookies;
  }

  async close() {
    for (const side of this.sides) await side.close();
    await this.imitation?.close();
    if (this.folder) await rm(this.folder, { recursive: true });
  }

  #raw(side, { method, path, headers, body, jar }) {
    const cookie = jar === null ? undefined : jarOf(side, jar).header();
    const sent = {
      host: new URL(ORIGIN).host,
      'user-agent': 'conformance',
      'x-forwarded-for': this.address,
      ...(cookie ? { cookie, origin: ORIGIN } : {}),
      ...headers,
    };
    const present = Object.entries(sent).filter(([, value]) => value !== null && value !== undefined);
    return { method, path: `/api/auth${path}`, headers: Object.fromEntries(present), body };
  }

  #note(step, { method, path }, differences) {
    this.differences.push(...differences.map((difference) => ({ step, method, path, ...difference })));
  }
}

/** Starts both sides, or neither: one that waits for the other would keep the run from ending. */
async function startBoth(setupOf) {
  const sides = await Promise.allSettled([startReference(setupOf('reference')), startOurs(setupOf('ours'))]);
  const failed = sides.find(({ status }) => status === 'rejected');
  if (!failed) return sides.map(({ value }) => value);
  for (const { value } of sides) await value?.close();
  throw failed.reason;
}

/** @param {Step} step */
function complete({ jar = 'browser', headers = {}, ...step }) {
  const body = step.json === undefined ? step.body : JSON.stringify(step.json);
  const type = step.json === undefined ? {} : { 'content-type': 'application/json' };
  const method = step.method ?? (body === undefined ? 'GET' : 'POST');
  return { method, path: step.path, body, jar, read: step.read, headers: { ...type, ...headers } };
}

function jarOf(side, name) {
  if (!side.jars.has(name)) side.jars.set(name, new Jar());
  return side.jars.get(name);
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
