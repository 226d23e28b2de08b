import { everything } from '../harness/setup.mjs';
import { session, signIn, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const settings = {
  'on https': { baseURL: 'https://app.example.com' },
  'secure on http': { advanced: { useSecureCookies: true } },
  'not secure on https': { baseURL: 'https://app.example.com', advanced: { useSecureCookies: false } },
  'with a prefix': { advanced: { cookiePrefix: 'my-app' } },
  'for subdomains': { baseURL: 'https://app.example.com', advanced: { crossSubDomainCookies: { enabled: true } } },
  'for a domain': { baseURL: 'https://app.example.com', advanced: { crossSubDomainCookies: { enabled: true, domain: 'example.com' } } },
  'with attributes': { advanced: { defaultCookieAttributes: { sameSite: 'none', secure: true, partitioned: true } } },
  'with a name': { advanced: { cookies: { session_token: { name: 'sid', attributes: { sameSite: 'strict', path: '/app', httpOnly: false } } } } },
  'with a life': { advanced: { defaultCookieAttributes: { maxAge: 1000 } } },
};

for (const [what, options] of Object.entries(settings)) {
  const cached = { ...options, session: { cookieCache: { enabled: true } } };
  scenario(`cookies ${what}`, everything({ options: cached, twoFactor: {} }), async (world) => {
    const origin = { origin: options.baseURL ?? 'http://localhost:3000' };
    await signUp(world, 'Ada');
    await session(world, 'Ada');
    await world.send('update', { path: '/update-user', json: { name: 'Countess' }, headers: origin, jar: 'Ada' });
    await world.send('sign out', { method: 'POST', path: '/sign-out', headers: origin, jar: 'Ada' });
    await signIn(world, 'Ada', { rememberMe: false }, 'phone');
  });
}

scenario('another base path', everything({ options: { basePath: '/auth' } }), async (world) => {
  await world.send('the old one', { path: '/ok', jar: null });
});
