import { everything } from '../harness/setup.mjs';
import { person, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const OWN = 'http://localhost:3000';
const origins = [
  OWN, `${OWN}/`, 'http://localhost:3000/page', 'https://localhost:3000', 'http://localhost', 'http://127.0.0.1:3000', 'http://LOCALHOST:3000', 'https://evil.test', 'http://localhost:3000.evil.test', 'http://localhost:3000@evil.test',
  'http://user@localhost:3000', 'null', '', 'nonsense', 'https://sub.example.org', 'https://a.b.example.org', 'http://sub.example.org', 'https://example.org', 'https://sub.example.org.evil.test', 'https://x.example.net', 'http://x.example.net',
  'http://x.example.net:8080', 'https://exact.example', 'https://exact.example:443', 'https://exact.example:444', 'myapp://', 'myapp://any/thing', 'exp://pinned', 'exp://pinned/path', 'exp://pinnedmore', 'http://192.168.1.7', 'http://192.168.evil.test', 'http://port.example:8080', 'file://', 'javascript:alert(1)',
];
const trusted = ['https://*.example.org', '*.example.net', 'https://exact.example', 'myapp://', 'exp://pinned', '192.168.*.*', 'http://port.example:*'];

scenario('requests that carry a cookie must come from a trusted origin', everything({ options: { trustedOrigins: trusted } }), async (world) => {
  const step = { path: '/sign-out', json: {}, jar: null };
  await world.send('no origin', { ...step, headers: { cookie: 'a=b' } });
  for (const origin of origins) {
    await world.send(`origin ${origin}`, { ...step, headers: { cookie: 'a=b', origin } });
    await world.send(`origin ${origin}, no cookie`, { ...step, headers: { origin } });
    await world.send(`referer ${origin}`, { ...step, headers: { cookie: 'a=b', referer: origin } });
  }
  for (const site of ['same-origin', 'same-site', 'cross-site', 'none']) {
    await world.send(`null, ${site}`, { ...step, headers: { cookie: 'a=b', origin: 'null', 'sec-fetch-site': site } });
    await world.send(`no origin, ${site}`, { ...step, headers: { cookie: 'a=b', 'sec-fetch-site': site } });
    await world.send(`foreign, ${site}`, { ...step, headers: { cookie: 'a=b', origin: 'https://evil.test', 'sec-fetch-site': site } });
  }
  await world.send('null, same-origin, at another host', { ...step, headers: { cookie: 'a=b', origin: 'null', 'sec-fetch-site': 'same-origin', host: 'evil.test' } });
  await world.send('null with a good referer', { ...step, headers: { cookie: 'a=b', origin: 'null', referer: `${OWN}/x` } });
  await world.send('foreign with a good referer', { ...step, headers: { cookie: 'a=b', origin: 'https://evil.test', referer: `${OWN}/x` } });
  await world.send('an empty cookie', { ...step, headers: { cookie: '', origin: 'https://evil.test' } });
  await world.send('GET is not checked', { path: '/get-session', headers: { cookie: 'a=b', origin: 'https://evil.test' }, jar: null });
});

scenario('signing in without a cookie is checked when a browser does it', everything({ options: { trustedOrigins: trusted } }), async (world) => {
  await signUp(world, 'Ada');
  const { email, password } = person('Ada');
  // A wrong password, so that nothing random comes back.
  const bodies = { '/sign-in/email': { email, password: `${password}!` }, '/sign-up/email': person('Ada') };
  for (const [path, json] of Object.entries(bodies)) {
    for (const headers of [
      {}, { origin: OWN }, { origin: 'https://evil.test' }, { origin: 'null' }, { referer: `${OWN}/x` }, { referer: 'https://evil.test/x' }, { referer: 'nonsense' },
      { 'sec-fetch-mode': 'cors' }, { 'sec-fetch-mode': 'cors', origin: OWN }, { 'sec-fetch-mode': 'cors', origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', origin: OWN },
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://a.example.org' }, { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' },
      { 'sec-fetch-dest': 'document' }, { 'sec-fetch-site': 'same-origin', origin: 'null' }, { 'sec-fetch-user': '?1' }, { 'sec-fetch-site': '' }, { origin: 'https://evil.test', referer: `${OWN}/` },
    ]) {
      await world.send(`${path} with ${JSON.stringify(headers)}`, { path, json, headers, jar: null });
      await world.send(`${path} with a cookie and ${JSON.stringify(headers)}`, { path, json, headers: { cookie: 'a=b', ...headers }, jar: null });
    }
  }
});

const targets = [
  '/', '/dashboard', '/a/b?c=d#e', '/a?next=https://evil.test', '//evil.test', '/\\evil.test', '/a//b', '/a\\b', '/%2fevil.test', '/%2Fevil.test', '/%5cevil.test', '/a%2fb', '/a?b=%2f', '/a b', '/a\tb', '/a\nb', '/\u0000', '/ü', '/@evil.test', '/.evil.test', '/a:b', '/a;b', '/a(b)', "/a'b", '/a"b', '/a<b>', '/a*b', '/a!b', '/a$b', '/a,b', '/a=b', '/a+b', '/a~b', '/a%20b', '/a%zz', '/[x]', '/{x}', '/a|b', '/a^b', '/a`b',
  'dashboard', './x', '../x', '?x=1', '#x', '', ' /x', '/x ', OWN, `${OWN}/x`, `${OWN}/x?y=//z`, 'http://localhost:3001/x', 'HTTP://LOCALHOST:3000/x', 'http://localhost:3000@evil.test', 'http://evil.test\\@localhost:3000', 'https://evil.test', 'https:evil.test', 'https://sub.example.org/x', 'https://sub.example.org.evil.test/x',
  'https://x.example.net/y', 'myapp://anything', 'myapp://', 'myapp:x', 'exp://pinned/x', 'exp://pinnedmore', 'javascript:alert(1)', 'data:text/html,x', 'http://192.168.1.7/x', 'http://192.168.evil.test/x', '/x?callback=%0d%0aSet-Cookie:x', '/x\r\nSet-Cookie: y',
];

for (const [path, field, rest] of [['/sign-out', 'callbackURL', {}], ['/request-password-reset', 'redirectTo', { email: 'eve@example.com' }], ['/sign-out', 'errorCallbackURL', {}], ['/sign-out', 'newUserCallbackURL', {}]]) {
  scenario(`where ${field} of ${path} may lead`, everything({ options: { trustedOrigins: trusted } }), async (world) => {
    for (const target of [...targets, 5, null, true, [], {}]) {
      await world.send(`to ${JSON.stringify(target)}`, { path, json: { ...rest, [field]: target }, jar: null });
    }
  });
}

scenario('where the links in mails may lead', everything({ options: { trustedOrigins: trusted } }), async (world) => {
  for (const target of targets) {
    const query = `callbackURL=${encodeURIComponent(target)}`;
    await world.send(`reset to ${JSON.stringify(target)}`, { path: `/reset-password/unknown?${query}`, jar: null });
    await world.send(`verify to ${JSON.stringify(target)}`, { path: `/verify-email?token=x&${query}`, jar: null });
    await world.send(`POST with ${JSON.stringify(target)} in the query`, { path: `/sign-out?${query}`, json: {}, jar: null });
  }
});

for (const advanced of [{ disableCSRFCheck: true }, { disableOriginCheck: true }, { disableOriginCheck: true, disableCSRFCheck: false }, { disableOriginCheck: ['/sign-out'] }]) {
  scenario(`with ${JSON.stringify(advanced)}`, everything({ options: { advanced } }), async (world) => {
    const evil = { cookie: 'a=b', origin: 'https://evil.test' };
    await world.send('a foreign origin', { path: '/sign-out', json: {}, headers: evil, jar: null });
    await world.send('a foreign origin elsewhere', { path: '/revoke-sessions', json: {}, headers: evil, jar: null });
    await world.send('a foreign callback', { path: '/sign-out', json: { callbackURL: 'https://evil.test' }, jar: null });
    await world.send('a foreign callback elsewhere', { path: '/request-password-reset', json: { email: 'a@example.com', redirectTo: 'https://evil.test' }, jar: null });
    await world.send('a foreign link', { path: '/verify-email?token=x&callbackURL=https://evil.test', jar: null });
    await world.send('a foreign sign-up', { path: '/sign-up/email', json: person('Ada'), headers: { origin: 'https://evil.test', 'sec-fetch-mode': 'cors' }, jar: null });
  });
}
