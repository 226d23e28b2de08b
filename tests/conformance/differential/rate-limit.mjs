import { everything } from '../harness/setup.mjs';
import { scenario } from './suite.mjs';

const limited = (rateLimit = {}) => everything({ options: { rateLimit: { enabled: true, ...rateLimit } }, twoFactor: {} });

async function times(world, count, what, step) {
  for (let turn = 1; turn <= count; turn += 1) await world.send(`${what} ${turn}`, { jar: null, ...step });
}

const bad = { email: 'eve@example.com', password: 'wrong horse' };

scenario('guessing and mailing are limited', limited(), async (world) => {
  await times(world, 4, 'sign in', { path: '/sign-in/email', json: bad });
  await times(world, 4, 'sign up', { path: '/sign-up/email', json: {} });
  await times(world, 4, 'change password', { path: '/change-password', json: null });
  await times(world, 4, 'change email', { path: '/change-email', json: {} });
  await times(world, 4, 'reset', { path: '/request-password-reset', json: { email: 'eve@example.com' } });
  await times(world, 4, 'verification', { path: '/send-verification-email', json: { email: 'eve@example.com' } });
  await times(world, 4, 'second factor', { path: '/two-factor/verify-totp', json: { code: '000000' } });
  await times(world, 4, 'another second factor', { path: '/two-factor/enable', json: { password: 'x' } });
  await times(world, 5, 'get session', { path: '/get-session' });
  await world.advance(11);
  await times(world, 1, 'sign in after ten seconds', { path: '/sign-in/email', json: bad });
  await times(world, 1, 'reset after ten seconds', { path: '/request-password-reset', json: { email: 'eve@example.com' } });
  await world.advance(60);
  await times(world, 1, 'reset after a minute', { path: '/request-password-reset', json: { email: 'eve@example.com' } });
});

scenario('limits come before everything else', limited(), async (world) => {
  await times(world, 4, 'a body that is no JSON', { path: '/sign-in/email', body: '{', headers: { 'content-type': 'application/json' } });
  await times(world, 4, 'a foreign origin', { path: '/sign-up/email', json: {}, headers: { cookie: 'a=b', origin: 'https://evil.test' } });
  await times(world, 4, 'a wrong method', { method: 'GET', path: '/change-email' });
});

scenario('limits are counted by address', limited(), async (world) => {
  const from = (address) => ({ path: '/sign-in/email', json: bad, headers: { 'x-forwarded-for': address } });
  await times(world, 4, 'from one', from('198.51.100.1'));
  await times(world, 1, 'from another', from('198.51.100.2'));
  await times(world, 3, 'from one network', from('2001:db8:1:2::1'));
  await times(world, 1, 'from the same network', from('2001:db8:1:2:ffff::9'));
  await times(world, 1, 'from another network', from('2001:db8:1:3::1'));
});

const rules = { window: 20, max: 2, customRules: { '/sign-in/email': { window: 5, max: 1 }, '/list-*': { window: 30, max: 1 }, '/sign-up/email': false } };

scenario('limits of one’s own', limited(rules), async (world) => {
  await times(world, 3, 'get session', { path: '/get-session' });
  await times(world, 2, 'sign in', { path: '/sign-in/email', json: bad });
  await times(world, 5, 'sign up', { path: '/sign-up/email', json: {} });
  await times(world, 2, 'list sessions', { path: '/list-sessions' });
  await times(world, 2, 'list accounts', { path: '/list-accounts' });
  await world.advance(6);
  await times(world, 2, 'sign in later', { path: '/sign-in/email', json: bad });
});

scenario('a steady client is not refused for ever', limited({ window: 10, max: 2 }), async (world) => {
  for (let turn = 1; turn <= 4; turn += 1) {
    await times(world, 1, `request ${turn}`, { path: '/ok' });
    await world.advance(6);
  }
});

scenario('counters in the database', limited({ storage: 'database' }), async (world) => {
  await times(world, 4, 'sign in', { path: '/sign-in/email', json: bad });
  await world.advance(11);
  await times(world, 1, 'later', { path: '/sign-in/email', json: bad });
});

scenario('no addresses, no limits', everything({ options: { rateLimit: { enabled: true }, advanced: { ipAddress: { disableIpTracking: true } } } }), async (world) => {
  await times(world, 5, 'sign in', { path: '/sign-in/email', json: bad });
});
