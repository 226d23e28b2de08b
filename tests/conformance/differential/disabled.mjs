import { everything, ORIGIN, SECRET } from '../harness/setup.mjs';
import { person, session, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const bare = { options: { secret: SECRET, baseURL: ORIGIN, rateLimit: { enabled: false } } };

scenario('what no option turns on', bare, async (world) => {
  const { email, password } = person('Ada');
  await world.send('sign up', { path: '/sign-up/email', json: person('Ada'), jar: null });
  await world.send('sign in', { path: '/sign-in/email', json: { email, password }, jar: null });
  await session(world, 'Ada');
  await world.send('asks for a reset', { path: '/request-password-reset', json: { email }, jar: null });
  await world.send('opens a reset link', { path: '/reset-password/x?callbackURL=/', jar: null });
  await world.send('resets', { path: '/reset-password', json: { token: 'x', newPassword: password }, jar: null });
  await world.send('asks for a link', { path: '/send-verification-email', json: { email }, jar: null });
  await world.send('opens a link', { path: '/verify-email?token=x', jar: null });
});

scenario('account routes that no option turns on', everything({ callbacks: [], options: { user: { changeEmail: { enabled: false }, deleteUser: { enabled: false } }, account: { accountLinking: { enabled: false } } } }), async (world) => {
  await signUp(world, 'Ada');
  await world.send('changes the address', { path: '/change-email', json: { newEmail: 'x@example.com' }, jar: 'Ada' });
  await world.send('deletes', { path: '/delete-user', json: {}, jar: 'Ada' });
  await world.send('opens the link to delete', { path: '/delete-user/callback?token=x', jar: 'Ada' });
  await world.send('lists accounts', { path: '/list-accounts', jar: 'Ada' });
  await world.send('unlinks', { path: '/unlink-account', json: { accountId: 'x' }, jar: 'Ada' });
  await world.send('updates the session', { path: '/update-session', json: {}, jar: 'Ada' });
});

scenario('social sign-in, which comes with providers', everything(), async (world) => {
  await world.send('sign in', { path: '/sign-in/social', json: { provider: 'github' }, jar: null });
  await world.send('comes back', { path: '/callback/github?code=x&state=y', jar: null });
  await signUp(world, 'Ada');
  await world.send('links', { path: '/link-social', json: { provider: 'github' }, jar: 'Ada' });
  await world.send('access token', { path: '/get-access-token', json: { accountId: 'x' }, jar: 'Ada' });
  await world.send('refresh token', { path: '/refresh-token', json: { accountId: 'x' }, jar: 'Ada' });
  await world.send('account info', { path: '/account-info?accountId=x', jar: 'Ada' });
});

scenario('no new users', everything({ options: { emailAndPassword: { disableSignUp: true } } }), async (world) => {
  await world.send('sign up', { path: '/sign-up/email', json: person('Ada'), jar: null });
  await world.send('sign in', { path: '/sign-in/email', json: person('Ada'), jar: null });
});

scenario('disabled paths', everything({ options: { disabledPaths: ['/sign-up/email', '/ok'] } }), async (world) => {
  await world.send('sign up', { path: '/sign-up/email', json: person('Ada'), jar: null });
  await world.send('ok', { path: '/ok', jar: null });
  await world.send('sign in', { path: '/sign-in/email', json: person('Ada'), jar: null });
});

scenario('passwords of one’s own length', everything({ options: { emailAndPassword: { minPasswordLength: 4, maxPasswordLength: 6 } } }), async (world) => {
  for (const password of ['abc', 'abcd', 'abcdef', 'abcdefg']) {
    await world.send(`${password.length} characters`, { path: '/sign-up/email', json: { ...person(`P${password.length}`), password }, jar: null });
  }
});
