// An authenticator app: the code for a key at a time (RFC 6238, SHA-1, six digits, thirty seconds).

import { createHmac } from 'node:crypto'

/**
 * An app that was given a key. Codes work once, so it never shows one twice: the second one within half a minute is the
 * next one, which is taken a little early.
 *
 * @param {string} key as the page shows it
 */
export function authenticatorApp(key) {
  let last = 0
  return {
    code() {
      last = Math.max(Math.floor(Date.now() / 30_000), last + 1)
      return codeAt(key, last)
    },
  }
}

/**
 * @param {string} key
 * @param {number} step
 */
function codeAt(key, step) {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', base32(key)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** @param {string} text */
function base32(text) {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  let bits = ''
  for (const letter of text.toUpperCase().replace(/[\s=]/g, '')) {
    bits += letters.indexOf(letter).toString(2).padStart(5, '0')
  }
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}
