import { everything } from '../harness/setup.mjs';
import { person, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

scenario('what is not there is 404 with nothing in it', everything(), async (world) => {
  for (const [method, path] of [
    ['GET', ''], ['GET', '/'], ['GET', '/unknown'], ['POST', '/unknown'], ['GET', '/ok/'], ['GET', '//ok'], ['GET', '/OK'], ['HEAD', '/ok'], ['OPTIONS', '/ok'], ['POST', '/ok'],
    ['PUT', '/ok'], ['DELETE', '/ok'], ['GET', '/sign-in/email'], ['GET', '/sign-up/email'], ['PUT', '/update-user'], ['PATCH', '/update-user'], ['GET', '/delete-user'], ['GET', '/sign-in'], ['GET', '/reset-password'],
    ['GET', '/reset-password/'], ['GET', '/reset-password/a/b?callbackURL=/'], ['GET', '/%6fk'], ['GET', '/ok%2f'], ['GET', '/two-factor/enable'], ['GET', '/ok?x=1'], ['GET', '/ok'],
  ]) {
    await world.send(`${method} ${path}`, { method, path, jar: null });
  }
});

scenario('the error page', everything(), async (world) => {
  for (const query of ['', '?error=access_denied', '?error=%3Cscript%3E', '?error=A%20B&error_description=why%20not', '?error=', '?error=state_mismatch']) {
    await world.send(`with ${query}`, { path: `/error${query}`, jar: null });
  }
});

scenario('an error page of one’s own', everything({ options: { onAPIError: { errorURL: '/oops?a=1' } } }), async (world) => {
  await world.send('with a code', { path: '/error?error=access_denied', jar: null });
  await world.send('without', { path: '/error', jar: null });
});

const BODY = JSON.stringify(person('Ada'));

scenario('content types', everything(), async (world) => {
  const types = [
    'text/plain', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;x', ' application/json', 'application/vnd.api+json', 'application/jsonp', 'text/json', 'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded; charset=utf-8', '', 'nonsense', null, 'text/plain; application/json',
  ];
  for (const path of ['/sign-in/email', '/change-password', '/sign-out', '/get-session', '/ok', '/revoke-sessions']) {
    for (const type of types) {
      await world.send(`${path} with ${type}`, { method: 'POST', path, body: BODY, headers: { 'content-type': type }, jar: null });
    }
    await world.send(`${path}, a type and no body`, { method: 'POST', path, headers: { 'content-type': 'text/plain' }, jar: null });
  }
});

scenario('bodies that are no JSON', everything(), async (world) => {
  for (const body of ['', ' ', '{', '{"a":1}x', 'undefined', "{'a':1}", '{"a":1,}', '\u0000', '{"email":"\\ud800"}', '{"email":"a@example.com","email":"b@example.com"}', '1e999', '{"__proto__":{"x":1}}', `${'['.repeat(100)}${']'.repeat(100)}`]) {
    for (const path of ['/sign-in/email', '/change-password', '/sign-out']) {
      await world.send(`${path} with ${body.slice(0, 60)}`, { method: 'POST', path, body, headers: { 'content-type': 'application/json' }, jar: null });
    }
  }
  await world.send('a body that is no JSON from a foreign origin, with a cookie', {
    method: 'POST', path: '/sign-out', body: '{', headers: { 'content-type': 'application/json', cookie: 'a=b', origin: 'https://evil.test' }, jar: null,
  });
  await world.send('a wrong type from a foreign origin, with a cookie', {
    method: 'POST', path: '/change-password', body: '{', headers: { 'content-type': 'text/plain', cookie: 'a=b', origin: 'https://evil.test' }, jar: null,
  });
});

scenario('checks come in their order', everything(), async (world) => {
  await signUp(world, 'Ada');
  const foreign = { origin: 'https://evil.test' };
  for (const [path, json] of [['/change-email', {}], ['/change-password', {}], ['/update-user', null], ['/delete-user', null], ['/revoke-session', {}], ['/verify-password', {}], ['/sign-in/email', {}], ['/sign-up/email', {}]]) {
    await world.send(`${path}, bad body, signed out`, { path, json, jar: null });
    await world.send(`${path}, bad body, foreign origin, no cookie`, { path, json, headers: foreign, jar: null });
    await world.send(`${path}, bad body, foreign origin, cookie`, { path, json, headers: foreign, jar: 'Ada' });
  }
  await world.send('a foreign callback and a bad body', { path: '/change-email', json: { callbackURL: 'https://evil.test' }, jar: null });
  await world.send('a foreign callback from a foreign origin', { path: '/sign-in/email', json: { callbackURL: 'https://evil.test' }, headers: foreign, jar: 'Ada' });
  await world.send('a foreign callback at an unknown path', { path: '/unknown', json: { callbackURL: 'https://evil.test' }, jar: null });
  await world.send('a foreign origin at an unknown path', { path: '/unknown', json: {}, headers: foreign, jar: 'Ada' });
});
