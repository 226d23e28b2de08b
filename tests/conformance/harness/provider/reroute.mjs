// Leads what this process asks the outside world to the imitation. Better Auth asks with the global `fetch`.

/**
 * @param {string} entrance see {@link import('./imitation.mjs').Imitation.entrance}
 * @returns {() => void} puts everything back
 */
export function reroute(entrance) {
  const real = globalThis.fetch;
  globalThis.fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.hostname === '127.0.0.1') return real(input, init);
    const there = `${entrance}/${url.protocol.slice(0, -1)}/${url.host}${url.pathname}${url.search}`;
    return real(input instanceof Request ? new Request(there, input) : there, init);
  };
  return () => {
    globalThis.fetch = real;
  };
}
