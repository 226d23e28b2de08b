/** Bytes as base64url without padding, as WebAuthn's JSON has them. */
export function encode(bytes: ArrayBuffer): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

/** The bytes of a base64url text. */
export function decode(text: string): ArrayBuffer {
  const bytes = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(bytes, (letter) => letter.charCodeAt(0)).buffer
}
