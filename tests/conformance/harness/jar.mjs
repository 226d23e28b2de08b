// A browser's cookies, as far as this suite needs them: one host, one path, no expiry but the immediate one.

/**
 * @typedef {{ name: string, value: string, attributes: string }} SetCookie
 */

/**
 * @param {string} header one `Set-Cookie` line
 * @returns {SetCookie}
 */
export function parseSetCookie(header) {
  const [pair, ...attributes] = header.split(';').map((part) => part.trim());
  const at = pair.indexOf('=');
  return { name: pair.slice(0, at), value: pair.slice(at + 1), attributes: attributes.join('; ') };
}

export class Jar {
  /** @type {Map<string, string>} */
  cookies = new Map();

  /** @param {SetCookie[]} cookies */
  take(cookies) {
    for (const { name, value, attributes } of cookies) {
      if (/max-age=0(;|$)/i.test(attributes)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  /** The `Cookie` header, if there are any. */
  header() {
    return this.cookies.size ? [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ') : undefined;
  }
}
