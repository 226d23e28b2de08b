import { everything } from '../harness/setup.mjs';
import { person, session, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const path = '/sign-up/email';

scenario('signing up gives a user, a token and a cookie', everything(), async (world) => {
  await signUp(world, 'Ada');
  await session(world, 'Ada');
  await world.mails('no mail');
});

scenario('an address is kept in lower case and taken once', everything(), async (world) => {
  await world.send('capital letters', { path, json: { ...person('Ada'), email: 'ADA@Example.COM' }, jar: 'Ada' });
  await world.send('taken', { path, json: person('Ada'), jar: null });
});

scenario('sign-up ignores what it does not know', everything(), async (world) => {
  await signUp(world, 'Ada', { id: 'mine', emailVerified: true, role: 'admin', image: 'https://example.com/a.png' });
  await session(world, 'Ada');
});

scenario('sign-up says everything that is wrong with a body', everything(), async (world) => {
  const bodies = {
    'no field': {},
    'no name': { email: 'a@example.com', password: 'correct horse' },
    'no password': { name: 'A', email: 'a@example.com' },
    'empty name': { name: '', email: 'empty@example.com', password: 'correct horse' },
    'empty password': { name: 'A', email: 'a@example.com', password: '' },
    'no address': { name: 'A', email: 'nobody', password: 'correct horse' },
    'numbers': { name: 1, email: 2, password: 3 },
    'nulls': { name: null, email: null, password: null },
    'arrays': { name: [], email: [], password: [] },
    'image is a number': { ...person('B'), image: 5 },
    'image is null': { ...person('C'), image: null },
    'rememberMe is a text': { ...person('D'), rememberMe: 'yes' },
    'callbackURL is a number': { ...person('E'), callbackURL: 5 },
    'callbackURL is null': { ...person('F'), callbackURL: null },
    'short password': { ...person('G'), password: 'short' },
    'long password': { ...person('H'), password: 'x'.repeat(129) },
    'just long enough': { ...person('I'), password: '\u{1f511}'.repeat(4) },
    'as long as can be': { ...person('J'), password: 'x'.repeat(128) },
  };
  for (const [what, json] of Object.entries(bodies)) await world.send(what, { path, json, jar: null });
  for (const json of [[], 'text', 5, null, true]) await world.send(`a body of ${JSON.stringify(json)}`, { path, json, jar: null });
  await world.send('no body', { method: 'POST', path, jar: null });
});

scenario('sign-up takes some addresses and refuses others', everything(), async (world) => {
  const addresses = [
    'a@b', 'a@b.c', 'a@b.co', 'a.b@c.de', 'a..b@c.de', '.a@c.de', 'a.@c.de', 'a+b@c.de', "o'hara@c.de", 'a b@c.de', 'a@c..de', 'a@-c.de',
    'a@c-.de', 'a@c.d-e', 'ä@c.de', 'a@ä.de', '"a"@c.de', 'a@[1.2.3.4]', 'a@1.2.3.4', ' a@c.de', 'a@c.de ', 'a@@c.de', 'a@c_d.de', 'A@C.DE', '@c.de',
    `${'a'.repeat(64)}@c.de`, `${'a'.repeat(65)}@c.de`, `a@${'c'.repeat(250)}.de`, 'a/b@c.de', 'a%b@c.de', 'a_b@c.de', '-a@c.de', '_@c.de', 'a@c.1e', 'a@c.e1',
  ];
  for (const email of addresses) {
    await world.send(`the address ${email}`, { path, json: { name: 'A', email, password: 'correct horse' }, jar: null });
  }
});

scenario('a form signs up too', everything(), async (world) => {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = 'name=Ada&email=ada%40example.com&password=correct+horse';
  await world.send('a form', { path, body, headers: type, jar: 'Ada' });
  await world.send('a form with true', { path, body: `${body.replace('ada', 'bob')}&rememberMe=true`, headers: type, jar: 'Bob' });
  await world.send('a form without a password', { path, body: 'name=Ada&email=ada%40example.com', headers: type, jar: null });
});

scenario('a session that is not remembered ends with the browser', everything(), async (world) => {
  await signUp(world, 'Ada', { rememberMe: false });
  await session(world, 'Ada');
});

const unproven = { options: { emailAndPassword: { requireEmailVerification: true } }, callbacks: ['sendVerificationEmail', 'onExistingUserSignUp'] };

scenario('when addresses must be proven, sign-up does not tell who is there', everything(unproven), async (world) => {
  await signUp(world, 'Ada', { callbackURL: '/welcome' });
  await world.mails('a link to prove it');
  await signUp(world, 'Ada', { name: 'Eve', image: 'https://example.com/e.png' });
  await world.mails('the holder is told');
  await world.send('short password', { path, json: { ...person('Ada'), password: 'short' }, jar: null });
});

scenario('sign-up without signing in', everything({ options: { emailAndPassword: { autoSignIn: false } } }), async (world) => {
  await signUp(world, 'Ada');
  await signUp(world, 'Ada');
  await session(world, 'Ada');
});

scenario('sign-up sends a mail when told to', everything({ options: { emailVerification: { sendOnSignUp: true } } }), async (world) => {
  await signUp(world, 'Ada', { callbackURL: '/welcome?from=mail' });
  await world.mails('a link to prove it');
});
