// An answer with everything in it that differs from run to run replaced by a name.

import { createHmac } from 'node:crypto';

import { symmetricDecodeJWT } from 'better-auth/crypto';

import { parseSetCookie } from './jar.mjs';
import { open, openFlow, openTokens, purposeKey } from './sealed.mjs';
import { SECRET } from './setup.mjs';

/** Headers of the connection and of its length: not the engine's. */
const TRANSPORT = new Set(['connection', 'content-length', 'date', 'keep-alive', 'set-cookie', 'transfer-encoding']);

/**
 * Gives random values names in the order in which they appear. Two engines that do the same give out the same names, and
 * a value that is not the one it should be (an old token, another user's id) gets another name.
 */
export class Names {
  #known = new Map();
  #counts = new Map();

  /** @param {string} text */
  hide(text) {
    return text
      .replace(/\beyJ[\w-]+\.[\w-]+\.[\w-]{43}(?![\w-])/g, (token) => describeJwt(token))
      .replace(/\beyJ[\w-]+\.(eyJ[\w-]+)\.[\w-]{342}(?![\w-])/g, (_, claims) => `idtoken(${this.hide(readable(claims))})`)
      .replace(/\b(eyJ[\w-]+)\.(eyJ[\w-]+)\.[\w-]{86}(?![\w-])/g, (_, header, claims) => `token(${this.hide(readable(header))} ${this.hide(readable(claims))})`)
      .replace(/(?<![\w.-])[\w-]{342}(?![\w-])/g, (modulus) => this.#name('modulus', modulus))
      // A code that was mailed is six digits, and nothing else is only that.
      .replace(/^\d{6}$/, (code) => this.#name('code', code))
      // Somebody's id in the name of a code that moves them to another address.
      .replace(/(?<=-otp-)[A-Za-z0-9]{32}(?=:)/g, (id) => this.#known.get(id) ?? id)
      // The alphabet of a state and its like says nothing: they are known by where they stand first, and by themselves from then on.
      .replace(/(?<=[?&](state|nonce|code_verifier)=)[\w-]{32,128}(?![\w-])/g, (value, kind) => this.#name(kind, value))
      .replace(/(?<![\w-])[\w-]{32}(?![\w-])/g, (value) => this.#known.get(value) ?? value)
      .replace(/(?<![\w-])[\w-]{128}(?![\w-])/g, (value) => this.#name('code_verifier', value))
      .replace(/\b(2fa|trust-device)-([\w-]{32}|[\w-]{20})(?![\w-])/g, (all, kind) => this.#name(kind, all))
      .replace(/(?<![\w-])[A-Za-z0-9]{5}-[A-Za-z0-9]{5}(?![\w-])/g, (code) => this.#name('backup', code))
      .replace(/(?<=secret=)[A-Z2-7]{52}(?![A-Z2-7])/g, (secret) => this.#name('totp', secret))
      .replace(/(?<![\w-])(?=[\w-]*[a-z])[\w-]{43}(?![\w-])/g, (challenge) => this.#name('43', challenge))
      .replace(/(?<=\btemp-)[a-z0-9]{32}(?=@)/g, (visitor) => this.#name('visitor', visitor))
      // A cookie that is named after a token is named after its name.
      .replace(/(?<=_multi-)[a-z0-9]{32}(?![\w-])/g, (lower) => [...this.#known].find(([token]) => token.toLowerCase() === lower)?.[1] ?? this.#name('multi', lower))
      .replace(/(?<![\w-])([A-Za-z0-9]{32}|[A-Za-z0-9]{24})(?![\w-])/g, (all) => {
        const alphabet = /[A-Z]/.test(all) ? 'mixed' : 'lower';
        return this.#name(`${alphabet}${all.length}`, all);
      });
  }

  /** The same for every text in a value. Keys are taken in their order in the alphabet, so that their order means nothing. */
  hideAll(value) {
    if (typeof value === 'string') return this.hide(value);
    if (Array.isArray(value)) return value.map((entry) => this.hideAll(entry));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.keys(value).sort().map((key) => [key, this.hideAll(value[key])]));
  }

  #name(kind, value) {
    if (!this.#known.has(value)) {
      const count = (this.#counts.get(kind) ?? 0) + 1;
      this.#counts.set(kind, count);
      this.#known.set(value, `<${kind} ${count}>`);
    }
    return this.#known.get(value);
  }
}

/**
 * @param {import('./wire.mjs').RawAnswer} raw
 * @param {Names} names
 */
export async function describe(raw, names) {
  const body = names.hideAll(parse(raw.text));
  const headers = {};
  for (const [name, value] of raw.headers) {
    if (!TRANSPORT.has(name)) headers[name] = names.hideAll(describeHeader(name, value));
  }
  const set = raw.headers.filter(([name]) => name === 'set-cookie').map(([, value]) => parseSetCookie(value));
  const cookies = {};
  // As a browser reads them: of two with the same name the last one counts.
  // In the order of their names, so that the order in which they are set means nothing.
  for (const { name, ...cookie } of joinChunks(set).sort((one, other) => one.name.localeCompare(other.name))) {
    cookies[names.hide(name)] = names.hideAll({ ...cookie, value: await describeValue(name, cookie.value) });
  }
  return { status: raw.status, headers, cookies, body };
}

function describeHeader(name, value) {
  if (name === 'set-auth-token') return describeSigned(value);
  // Random, and of an alphabet that says nothing.
  return name === 'set-ott' ? `a token of ${value.length}` : value;
}

/** A value that was cut into `name.0`, `name.1`, … becomes one again. */
function joinChunks(cookies) {
  const part = /^(.*\.(?:session|account)_data)\.\d+$/;
  const isPart = ({ name, value }) => part.test(name) && value !== '';
  const wholes = new Set(cookies.filter(isPart).map(({ name }) => name.replace(part, '$1')));
  const joined = [...wholes].map((whole) => {
    const parts = cookies.filter((cookie) => isPart(cookie) && cookie.name.startsWith(`${whole}.`));
    return { name: `${whole}.*`, value: parts.map(({ value }) => value).join(''), attributes: `${parts.length} × ${parts[0].attributes}` };
  });
  return [...cookies.filter((cookie) => !isPart(cookie)), ...joined];
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

async function describeValue(name, value) {
  if (value === '') return '';
  if (/passkey$/.test(name)) return describeSigned(decodeURIComponent(value)).replace(/\([\w-]{32}\)/, '(<challenge>)');
  if (/\.oauth_state\b/.test(name)) return { sealed: await openFlow(JSON.parse(await open(decodeURIComponent(value), purposeKey('oauth-state-cookie')))) };
  const [, cache] = /\.(session|account)_data(\.[\d*]+)?$/.exec(name) ?? [];
  return cache ? await describeCache(decodeURIComponent(value), `better-auth-${cache}`) : describeSigned(decodeURIComponent(value));
}

/** `value.signature`, with what the signature is worth. */
function describeSigned(text) {
  const at = text.lastIndexOf('.');
  const [value, signature] = [text.slice(0, at), text.slice(at + 1)];
  const right = createHmac('sha256', SECRET).update(value).digest('base64');
  return signature === right ? `signed(${value.replace(/^[\w-]{43}!/, '<mac>!')})` : `unsigned(${text})`;
}

/** The three forms of the cookie cache. An account is kept in the last of them. */
async function describeCache(text, salt) {
  if (text.split('.').length === 5) {
    const { jti, ...claims } = (await symmetricDecodeJWT(text, SECRET, salt)) ?? {};
    return { jwe: JSON.parse(Buffer.from(text.split('.')[0], 'base64url')), claims: await openTokens(claims), jti: typeof jti };
  }
  if (text.split('.').length === 3) return describeJwt(text);
  const { session, expiresAt, signature } = JSON.parse(Buffer.from(text, 'base64url'));
  const right = createHmac('sha256', SECRET).update(JSON.stringify({ ...session, expiresAt })).digest('base64url');
  return { compact: session, expiresAt, signature: signature === right ? 'right' : 'wrong' };
}

function describeJwt(token) {
  const [header, claims, signature] = token.split('.');
  const right = createHmac('sha256', SECRET).update(`${header}.${claims}`).digest('base64url');
  return `jwt(${readable(header)} ${readable(claims)} ${signature === right ? 'right' : 'wrong'})`;
}

/** A part of a token, so that it can stand in a text. */
function readable(part) {
  return JSON.stringify(sorted(JSON.parse(Buffer.from(part, 'base64url')))).replaceAll('"', "'");
}

function sorted(value) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  return Object.fromEntries(Object.keys(value).sort().map((key) => [key, sorted(value[key])]));
}
