// Every provider there is, on one port of the loopback. Both engines are led here with what they ask the outside world.

import http from 'node:http';
import { once } from 'node:events';

import { ANSWERS, DISCOVERED } from './answers.mjs';
import { ProviderRequest } from './request.mjs';

/**
 * Who is signed in at the provider.
 *
 * @typedef {{ id: string, name: string, email: string | null, verified: boolean, image: string | null }} Who
 */

/** @type {Who} */
export const ADA = { id: '1001', name: 'Ada Lovelace', email: 'ada@example.com', verified: true, image: 'https://images.test/ada.png' };

export class Imitation {
  /** @type {Who} */
  who = ADA;
  /** What a token answer has besides, or instead; undefined leaves a field out. */
  tokens = {};
  /** The same for the claims of id tokens. */
  claims = {};
  /** How id tokens are signed; see id-token.mjs. */
  signing = {};
  /** The keys that are published. */
  kids = ['first'];
  #told = new Map();
  #asked = { reference: [], ours: [] };

  /** @param {() => number} [now] milliseconds since 1970 */
  static async start(now = () => Date.now()) {
    const imitation = new Imitation();
    imitation.now = now;
    await imitation.#listen();
    return imitation;
  }

  async #listen() {
    this.server = http.createServer((incoming, outgoing) => this.#serve(incoming, outgoing));
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    this.origin = `http://127.0.0.1:${this.server.address().port}`;
  }

  /** Where a side's requests to `https://host/path` go: `<entrance>/https/host/path`. */
  entrance(side) {
    return `${this.origin}/${side}`;
  }

  /**
   * Answers an address in another way, until told otherwise.
   *
   * @param {string} address host and path
   * @param {object | ((request: ProviderRequest) => object)} [answer] unset, as ever again
   */
  tell(address, answer) {
    if (answer === undefined) this.#told.delete(address);
    else this.#told.set(address, typeof answer === 'function' ? answer : () => answer);
  }

  /** What a side asked since the last time. How often it asked for keys is its own affair, and counted. */
  asked(side) {
    const all = this.#asked[side];
    this.#asked[side] = [];
    const isAboutKeys = (request) => answerTo(request)?.isAboutKeys === true;
    return { requests: all.filter((request) => !isAboutKeys(request)).map((request) => request.describe()), keys: all.filter(isAboutKeys).length };
  }

  async close() {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  async #serve(incoming, outgoing) {
    const parts = [];
    for await (const part of incoming) parts.push(part);
    const request = new ProviderRequest(incoming, Buffer.concat(parts).toString());
    this.#asked[request.side].push(request);
    const answer = this.#told.get(request.address) ?? answerTo(request);
    const { status = 200, json, text, type = 'application/json', headers = {}, hangs } = answer ? answer(request, this) : { status: 404, json: { error: 'nobody lives here' } };
    if (hangs) return;
    outgoing.writeHead(status, { 'content-type': type, ...headers });
    outgoing.end(text ?? JSON.stringify(json));
  }
}

function answerTo({ address, host, path }) {
  if (!host.endsWith('.example.com')) return ANSWERS[address];
  const ending = Object.keys(DISCOVERED).find((ending) => path.endsWith(ending));
  return DISCOVERED[ending];
}

/**
 * The visitor says yes on the provider's page.
 *
 * @param {string | undefined} url where the engine sent the visitor
 * @returns {{ code: string, state: string }} what the provider sends back. The code carries nonce and challenge to the token endpoint.
 */
export function consent(url) {
  const asked = URL.canParse(url) ? new URL(url).searchParams : new URLSearchParams();
  return { code: `code.${asked.get('nonce') ?? ''}.${asked.get('code_challenge') ?? ''}`, state: asked.get('state') ?? 'none' };
}
