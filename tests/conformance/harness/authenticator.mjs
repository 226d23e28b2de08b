// A security key in software: it makes passkeys and signs with them, and can be told to misbehave.

import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** Keys by their number, shared by all authenticators: two sides that do the same get the same passkeys. */
const made = [];

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED = 0x40;

const sha256 = (data) => createHash('sha256').update(data).digest();
const base64url = (data) => Buffer.from(data).toString('base64url');

export class Authenticator {
  /** @type {{ id: Buffer, key: import('node:crypto').KeyObject, rpId: string, userHandle: Buffer, counter: number }[]} */
  passkeys = [];

  /**
   * Answers the options of a registration.
   *
   * @param {object} options what the server sent
   * @param {string} origin the page's
   * @param {{ challenge?: string, rpId?: string, flags?: number }} [lie]
   */
  register(options, origin, lie = {}) {
    const { publicKey, privateKey, id } = (made[this.passkeys.length] ??= { ...generateKeyPairSync('ec', { namedCurve: 'P-256' }), id: randomBytes(16) });
    const rpId = lie.rpId ?? options.rp.id;
    const passkey = { id, key: privateKey, rpId, userHandle: Buffer.from(options.user.id, 'base64url'), counter: 0 };
    this.passkeys.push(passkey);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    const attested = Buffer.concat([Buffer.alloc(16), length, id, coseKey(publicKey)]);
    const data = Buffer.concat([head(rpId, (lie.flags ?? USER_PRESENT | USER_VERIFIED) | ATTESTED, 0), attested]);
    const client = clientData('webauthn.create', lie.challenge ?? options.challenge, origin);
    return {
      id: base64url(id),
      rawId: base64url(id),
      type: 'public-key',
      response: {
        clientDataJSON: base64url(client),
        attestationObject: base64url(map([[text('fmt'), text('none')], [text('attStmt'), map([])], [text('authData'), bytes(data)]])),
        transports: ['internal', 'hybrid'],
      },
      authenticatorAttachment: 'platform',
    };
  }

  /**
   * Answers the options of an authentication with a passkey, the newest unless another is named.
   *
   * @param {object} options what the server sent
   * @param {string} origin the page's
   * @param {{ challenge?: string, rpId?: string, counter?: number, flags?: number, passkey?: number }} [lie]
   */
  authenticate(options, origin, lie = {}) {
    const passkey = this.passkeys.at(lie.passkey ?? -1);
    passkey.counter = lie.counter ?? passkey.counter + 1;
    const data = head(lie.rpId ?? options.rpId, lie.flags ?? USER_PRESENT | USER_VERIFIED, passkey.counter);
    const client = clientData('webauthn.get', lie.challenge ?? options.challenge, origin);
    return {
      id: base64url(passkey.id),
      rawId: base64url(passkey.id),
      type: 'public-key',
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), passkey.key)),
        userHandle: base64url(passkey.userHandle),
      },
      authenticatorAttachment: 'platform',
    };
  }

  /** What a browser has under `navigator.credentials`. */
  credentials(origin) {
    const buffer = (encoded) => new Uint8Array(Buffer.from(encoded, 'base64url')).buffer;
    const json = ({ challenge, user, ...options }) => ({
      ...options,
      challenge: base64url(challenge),
      ...(user ? { user: { ...user, id: base64url(user.id) } } : {}),
    });
    const credential = ({ response, rawId, ...rest }, names) => ({
      ...rest,
      rawId: buffer(rawId),
      response: { ...Object.fromEntries(names.map((name) => [name, buffer(response[name])])), getTransports: () => response.transports },
      getClientExtensionResults: () => ({}),
    });
    return {
      create: async ({ publicKey }) => credential(this.register(json(publicKey), origin), ['clientDataJSON', 'attestationObject']),
      get: async ({ publicKey }) => credential(this.authenticate(json(publicKey), origin), ['clientDataJSON', 'authenticatorData', 'signature', 'userHandle']),
    };
  }
}

function clientData(type, challenge, origin) {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function head(rpId, flags, counter) {
  const tail = Buffer.alloc(5);
  tail.writeUInt8(flags, 0);
  tail.writeUInt32BE(counter, 1);
  return Buffer.concat([sha256(rpId), tail]);
}

/** An ES256 key as COSE writes it: kty 2, alg −7, crv 1, x, y. */
function coseKey(publicKey) {
  const { x, y } = publicKey.export({ format: 'jwk' });
  const coordinate = (value) => bytes(Buffer.from(value, 'base64url'));
  return map([[number(1), number(2)], [number(3), number(-7)], [number(-1), number(1)], [number(-2), coordinate(x)], [number(-3), coordinate(y)]]);
}

// As much of CBOR as is needed.
const number = (value) => (value < 0 ? start(1, -1 - value) : start(0, value));
const bytes = (data) => Buffer.concat([start(2, data.length), data]);
const text = (value) => Buffer.concat([start(3, Buffer.byteLength(value)), Buffer.from(value)]);
const map = (pairs) => Buffer.concat([start(5, pairs.length), ...pairs.flat()]);

function start(major, length) {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
