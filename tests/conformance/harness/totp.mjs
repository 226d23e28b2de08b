// Codes by time, as an authenticator app makes them.

import { createHmac } from 'node:crypto';

/**
 * @param {string} uri what the QR code says
 * @param {{ now?: number, step?: number }} [when] `step` −1 is the code before
 */
export function totp(uri, { now = Date.now(), step = 0 } = {}) {
  const key = base32(new URL(uri).searchParams.get('secret'));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000) + step));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE(mac[19] & 15) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** @param {string} text */
function base32(text) {
  const bits = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from(bits.match(/.{8}/g).map((byte) => Number.parseInt(byte, 2)));
}
