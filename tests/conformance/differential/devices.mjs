import { everything } from '../harness/setup.mjs';
import { session, signUp } from './accounts.mjs';
import { scenario } from './suite.mjs';

const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const CLIENT = 'tool';

/** Codes are random, and of an alphabet and a length that say nothing else: what they look like is compared. */
function shape(body) {
  if (!body?.user_code) return body;
  const like = (code) => code?.replace(/[A-HJ-NP-Z2-9]/g, 'X');
  return {
    ...body,
    user_code: like(body.user_code),
    ...(body.device_code ? { device_code: /^[A-Za-z0-9]+$/.test(body.device_code) && body.device_code.length } : {}),
    ...(body.verification_uri_complete ? { verification_uri_complete: body.verification_uri_complete.replace(body.user_code, like(body.user_code)) } : {}),
  };
}

const ask = (world, json = { client_id: CLIENT }, what = 'codes') => world.send(what, { path: '/device/code', json, jar: null, read: shape });
const look = (world, codes, jar = null, what = 'a look', typed = (code) => code) => world.send(what, (side) => ({ path: `/device?user_code=${encodeURIComponent(typed(codes[side].json.user_code))}`, jar, read: (body) => ({ ...shape(body), ...(body?.user_code ? { user_code: 'as typed' } : {}) }) }));
const decide = (world, codes, jar, decision = 'approve', what = decision) => world.send(what, (side) => ({ path: `/device/${decision}`, json: { userCode: codes[side].json.user_code }, jar }));
const poll = (world, codes, what = 'a poll', more = {}) => world.send(what, (side) => ({ path: '/device/token', json: { grant_type: GRANT, device_code: codes[side].json.device_code, client_id: CLIENT, ...more }, jar: null }));

scenario('a device is approved', everything({ deviceAuthorization: {}, bearer: { requireSignature: false } }), async (world) => {
  await signUp(world, 'Ada');
  const codes = await ask(world, { client_id: CLIENT, scope: 'read write' });
  await poll(world, codes, 'too early');
  await poll(world, codes, 'too often');
  await world.advance(4);
  await poll(world, codes, 'still too often');
  await world.advance(1);
  await poll(world, codes, 'slowly, still too early');
  await look(world, codes, null, 'a stranger looks');
  await decide(world, codes, 'Ada', 'approve', 'before she looked');
  await look(world, codes, 'Ada');
  await decide(world, codes, 'Ada');
  await decide(world, codes, 'Ada', 'approve', 'twice');
  await decide(world, codes, 'Ada', 'deny', 'too late');
  await look(world, codes, 'Ada', 'what became of it');
  await world.advance(5);
  const given = await poll(world, codes, 'a token');
  await poll(world, codes, 'once');
  await world.send('whose it is', (side) => ({ path: '/get-session', jar: null, headers: { authorization: `Bearer ${given[side].json.access_token}` } }));
  await session(world, 'Ada');
});

scenario('a device is denied', everything({ deviceAuthorization: {} }), async (world) => {
  await signUp(world, 'Ada');
  const codes = await ask(world);
  await decide(world, codes, 'Ada', 'deny', 'before she looked');
  await look(world, codes, 'Ada');
  await decide(world, codes, 'Ada', 'deny');
  await look(world, codes, null, 'what became of it');
  await poll(world, codes, 'no');
  await poll(world, codes, 'and nothing more');
});

scenario('devices and two people', everything({ deviceAuthorization: {} }), async (world) => {
  await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  const codes = await ask(world);
  await look(world, codes, 'Ada', 'Ada is first');
  await look(world, codes, 'Eve', 'Eve is not');
  await decide(world, codes, 'Eve');
  await decide(world, codes, 'Eve', 'deny');
  await decide(world, codes, null, 'approve', 'nobody');
  await decide(world, codes, null, 'deny', 'nobody again');
  await decide(world, codes, 'Ada');
});

scenario('a device knows who is to approve', everything({ deviceAuthorization: {} }), async (world) => {
  const up = await signUp(world, 'Ada');
  await signUp(world, 'Eve');
  const codes = await world.send('codes', (side) => ({ path: '/device/code', json: { client_id: CLIENT, user_id: up[side].json.user.id }, jar: null, read: shape }));
  await look(world, codes, 'Eve', 'Eve looks');
  await decide(world, codes, 'Eve');
  await decide(world, codes, 'Ada');
});

scenario('codes of devices end', everything({ deviceAuthorization: { expiresIn: '5m', interval: '10s' } }), async (world) => {
  await signUp(world, 'Ada');
  const codes = await ask(world);
  await look(world, codes, 'Ada');
  await world.advance(301);
  await look(world, codes, 'Ada', 'too late');
  await decide(world, codes, 'Ada');
  await decide(world, codes, 'Ada', 'deny');
  await poll(world, codes, 'expired');
  await poll(world, codes, 'gone');
});

scenario('codes of devices as people type them', everything({ deviceAuthorization: { userCodeLength: 6, deviceCodeLength: 64 } }), async (world) => {
  await signUp(world, 'Ada');
  const codes = await ask(world);
  await look(world, codes, 'Ada', 'small', (code) => code.toLowerCase());
  await look(world, codes, 'Ada', 'with a hyphen', (code) => `${code.slice(0, 3)}-${code.slice(3)}`);
  await look(world, codes, 'Ada', 'with blanks', (code) => ` ${code.slice(0, 3)} ${code.slice(3)} `);
  await look(world, codes, 'Ada', 'too short', (code) => code.slice(1));
  await look(world, codes, 'Ada', 'another', () => 'AAAAAA');
  await look(world, codes, 'Ada', 'empty', () => '');
});

scenario('requests of devices that are wrong', everything({ deviceAuthorization: {}, callbacks: ['validateClient'] }), async (world) => {
  for (const json of [{}, { client_id: '' }, { client_id: 5 }, { client_id: null }, { client_id: CLIENT, scope: 7 }, [], { client_id: 'stranger' }]) {
    await ask(world, json, `codes for ${JSON.stringify(json)}`);
  }
  const form = (what, body) => world.send(what, { path: '/device/code', body, headers: { 'content-type': 'application/x-www-form-urlencoded' }, jar: null, read: shape });
  await form('a form', 'client_id=tool&scope=read');
  await form('twice', 'client_id=tool&client_id=other');
  await form('once and empty', 'client_id=&client_id=tool');
  const codes = await ask(world);
  await poll(world, codes, 'another client', { client_id: 'other' });
  await poll(world, codes, 'a stranger', { client_id: 'stranger' });
  await poll(world, codes, 'no grant', { grant_type: undefined });
  await poll(world, codes, 'another grant', { grant_type: 'password' });
  await poll(world, codes, 'no code', { device_code: undefined });
  await poll(world, codes, 'a wrong code', { device_code: 'x' });
  await poll(world, codes, 'no client', { client_id: undefined });
  await poll(world, codes, 'right');
  await signUp(world, 'Ada');
  for (const path of ['/device/approve', '/device/deny']) {
    for (const json of [{}, { userCode: 5 }, { userCode: 'AAAAAAAA' }, { userCode: '' }]) await world.send(`${path} ${JSON.stringify(json)}`, { path, json, jar: 'Ada' });
  }
  await world.send('no code to look at', { path: '/device', jar: 'Ada' });
});

scenario('where codes are entered', everything({ deviceAuthorization: { verificationUri: 'https://tv.example/enter?lang=en' } }), async (world) => {
  await ask(world);
});

scenario('where codes are entered on this host', everything({ deviceAuthorization: { verificationUri: '/enter/code' } }), async (world) => {
  await ask(world);
});

scenario('rows of devices', everything({ deviceAuthorization: { referenceRows: true }, files: true }), async (world) => {
  await signUp(world, 'Ada');
  const codes = await ask(world, { client_id: CLIENT, scope: 'read' });
  world.change(`update "deviceCode" set "deviceCode" = 'device', "userCode" = 'USER'`);
  const known = Object.fromEntries(Object.keys(codes).map((side) => [side, { json: { device_code: 'device', user_code: 'USER' } }]));
  await world.rows('asked', 'deviceCode');
  await poll(world, known);
  await look(world, known, 'Ada');
  await world.rows('looked at', 'deviceCode');
  await decide(world, known, 'Ada');
  await world.rows('approved', 'deviceCode');
  await world.advance(5);
  await poll(world, known, 'a token');
  await world.rows('picked up', 'deviceCode', 'session');
});

scenario('guesses at codes of devices', everything({ deviceAuthorization: {}, options: { rateLimit: { enabled: true } } }), async (world) => {
  for (let guess = 1; guess <= 6; guess += 1) await world.send(`guess ${guess}`, { path: '/device?user_code=AAAAAAAA', jar: null });
});
