// A request as the imitation sees it, under the address that the engine meant.

/** Headers that are the engine's. What its HTTP library adds is not. */
const TOLD = ['authorization', 'content-type', 'notion-version'];

export class ProviderRequest {
  /**
   * @param {import('node:http').IncomingMessage} incoming its path is `/<side>/<scheme>/<host>/<path>`
   * @param {string} body
   */
  constructor(incoming, body) {
    const [, side, scheme, host, path, search] = /^\/([^/]+)\/([^/]+)\/([^/?]+)([^?]*)(.*)$/.exec(incoming.url);
    this.side = side;
    this.method = incoming.method;
    this.scheme = scheme;
    this.host = host;
    // One engine's library writes `@me` as `%40me`.
    this.path = decodeURIComponent(path) || '/';
    this.query = new URLSearchParams(search);
    this.headers = incoming.headers;
    this.form = new URLSearchParams(body);
  }

  get address() {
    return `${this.host}${this.path}`;
  }

  get bearer() {
    return this.headers.authorization?.split(' ')[1];
  }

  /** Whose token this is about to be, however the client says its name. */
  get clientId() {
    const [, basic] = /^Basic (.*)$/.exec(this.headers.authorization ?? '') ?? [];
    return this.form.get('client_id') ?? (basic && decodeURIComponent(Buffer.from(basic, 'base64').toString().split(':')[0]));
  }

  /** What both engines have to have in common. */
  describe() {
    const headers = Object.fromEntries(TOLD.filter((name) => this.headers[name] && this.method !== 'GET' || name !== 'content-type' && this.headers[name])
      .map((name) => [name, this.headers[name].replace(/; ?charset=.*$/i, '')]));
    if (this.host === 'api.github.com') headers['user-agent'] = this.headers['user-agent'];
    return {
      what: `${this.method} ${this.scheme}://${this.address}`,
      query: Object.fromEntries(this.query),
      form: [...this.form].map((pair) => pair.join('=')).sort(),
      headers,
    };
  }
}
