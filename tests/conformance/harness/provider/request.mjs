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
    this.form = new URLSearchParams(body.startsWith('{') ? '' : body);
    this.json = body.startsWith('{') ? body : undefined;
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
    // Of what is not there, the type says nothing.
    const told = TOLD.filter((name) => this.headers[name] && (name !== 'content-type' || this.method !== 'GET'));
    const headers = Object.fromEntries(told.map((name) => [name, this.headers[name].replace(/; ?charset=.*$/i, '')]));
    if (this.host === 'api.github.com') headers['user-agent'] = this.headers['user-agent'];
    return {
      what: `${this.method} ${this.scheme}://${this.address}`,
      query: Object.fromEntries(this.query),
      form: [...this.form].map((pair) => pair.join('=')).sort(),
      // How a query is laid out means nothing.
      json: this.json?.replace(/(\\[nt]|\s)+/g, ' ').replaceAll('" ', '"').replaceAll(' "', '"'),
      headers,
    };
  }
}
