import { everything } from '../harness/setup.mjs';
import { person } from './accounts.mjs';
import { scenario } from './suite.mjs';

const HOSTS = {
  'cloudflare-turnstile': 'challenges.cloudflare.com/turnstile/v0/siteverify',
  'google-recaptcha': 'www.google.com/recaptcha/api/siteverify',
  hcaptcha: 'api.hcaptcha.com/siteverify',
};

const signUp = (world, what, response = 'said the widget') => world.send(what, { path: '/sign-up/email', json: person(what.replace(/\W/g, '')), headers: response === undefined ? {} : { 'x-captcha-response': response }, jar: null });

for (const [provider, address] of Object.entries(HOSTS)) {
  scenario(`a captcha of ${provider}`, everything({ captcha: { provider, secretKey: 'a secret & more', siteKey: 'a site' } }), async (world) => {
    const say = (answer) => world.imitation.tell(address, answer);
    say({ json: { success: true } });
    await signUp(world, 'believed');
    world.asked('in its words');
    await world.send('without', { path: '/sign-up/email', json: person('without'), jar: null });
    await world.send('empty', { path: '/sign-up/email', json: person('empty'), headers: { 'x-captcha-response': '' }, jar: null });
    await world.send('before the body', { path: '/sign-up/email', json: {}, jar: null });
    await world.send('not here', { path: '/get-session', jar: null });
    world.asked('nobody');
    say({ json: { success: false, 'error-codes': ['timeout-or-duplicate'] } });
    await signUp(world, 'not believed');
    await world.send('nor signing in', { path: '/sign-in/email', json: person('believed'), headers: { 'x-captcha-response': 'x' }, jar: null });
    await world.send('nor a new password', { path: '/request-password-reset', json: { email: 'believed@example.com' }, headers: { 'x-captcha-response': 'x' }, jar: null });
    say({ json: {} });
    await signUp(world, 'nothing said');
    say({ status: 503, json: { success: true } });
    await signUp(world, 'out of order');
    say({ type: 'text/html', text: '<html></html>' });
    await signUp(world, 'a page');
  });
}

scenario('a captcha with a score', everything({ captcha: { provider: 'google-recaptcha', secretKey: 's', minScore: 0.7 } }), async (world) => {
  for (const score of [0.69, 0.7, 0, 1]) {
    world.imitation.tell(HOSTS['google-recaptcha'], { json: { success: true, score } });
    await signUp(world, `score ${score}`);
  }
});

for (const provider of ['cloudflare-turnstile', 'google-recaptcha']) {
  scenario(`a captcha of ${provider} for one host and action`, everything({ captcha: { provider, secretKey: 's', expectedAction: 'sign-up', allowedHostnames: ['app.example'] } }), async (world) => {
    for (const said of [{}, { action: 'sign-up' }, { hostname: 'app.example' }, { action: 'other', hostname: 'app.example' }, { action: 'sign-up', hostname: 'evil.example' }, { action: 'sign-up', hostname: 'app.example' }]) {
      world.imitation.tell(HOSTS[provider], { json: { success: true, ...said } });
      await signUp(world, `said ${JSON.stringify(said)}`);
    }
  });
}

scenario('a captcha before other paths', everything({ captcha: { provider: 'hcaptcha', secretKey: 's', endpoints: ['/sign-*', '/sign-in/*', '/change-password'] } }), async (world) => {
  world.imitation.tell(HOSTS.hcaptcha, { json: { success: true } });
  await world.send('sign-out', { path: '/sign-out', json: {}, jar: null });
  await world.send('change', { path: '/change-password', json: {}, jar: null });
  await world.send('not this one', { path: '/request-password-reset', json: { email: 'ada@example.com' }, jar: null });
  await signUp(world, 'sign up');
  await world.send('in another segment', { path: '/sign-up/email', json: person('Segment'), jar: null });
  await world.send('below', { path: '/sign-in/email', json: person('Segment'), jar: null });
});
