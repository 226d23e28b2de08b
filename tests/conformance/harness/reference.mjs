// Better Auth itself, in this process: its clock is ours to move.

import http from 'node:http';
import { once } from 'node:events';

import Database from 'better-sqlite3';
import { betterAuth } from 'better-auth';
import { getMigrations } from 'better-auth/db/migration';
import { toNodeHandler } from 'better-auth/node';
import { admin, anonymous, bearer, captcha, deviceAuthorization, emailOTP, genericOAuth, haveIBeenPwned, jwt, lastLoginMethod, magicLink, multiSession, oneTimeToken, organization, twoFactor, username } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { defaultStatements } from 'better-auth/plugins/admin/access';
import * as houses from 'better-auth/plugins/organization/access';
import * as presets from 'better-auth/plugins/generic-oauth';
import { apiKey } from '@better-auth/api-key';
import { passkey } from '@better-auth/passkey';

import { ownPaths } from './own_paths.mjs';
import { reroute } from './provider/reroute.mjs';
import { merge } from './setup.mjs';
import { send } from './wire.mjs';

/** @param {import('./setup.mjs').Setup} setup */
export async function startReference(setup) {
  const mails = [];
  const putBack = setup.imitation ? reroute(setup.imitation) : () => {};
  const file = new Database(setup.database ?? ':memory:');
  const options = configure(setup, mails, file);
  const server = http.createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${server.address().port}`;
  options.baseURL ??= origin;
  await (await getMigrations(options)).runMigrations();
  const auth = betterAuth(options);
  server.on('request', ownPaths(auth, mails, toNodeHandler(auth)));

  return {
    name: 'reference',
    origin,
    send: (request) => send(origin, request),
    mails: async () => mails.splice(0),
    // What only server code can do with API keys.
    verifyKey: async (body) => plain(await auth.api.verifyApiKey({ body })),
    createKey: async (body) => plain(await auth.api.createApiKey({ body })),
    // The clock of this process is moved once for both sides; see clock.mjs.
    advance: async () => {},
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      file.close();
      putBack();
    },
  };
}

/** As a client would read it. */
const plain = (value) => JSON.parse(JSON.stringify(value));

/** Adds to the options what JSON cannot say. */
function configure({ options: given, theirs = {}, callbacks = [], ...plugins }, mails, database) {
  const catching = {
    sendResetPassword: ['emailAndPassword'],
    onPasswordReset: ['emailAndPassword'],
    onExistingUserSignUp: ['emailAndPassword'],
    sendVerificationEmail: ['emailVerification'],
    sendChangeEmailConfirmation: ['user', 'changeEmail'],
    sendDeleteAccountVerification: ['user', 'deleteUser'],
  };
  let options = merge(given, theirs);
  for (const kind of callbacks.filter((kind) => kind in catching)) {
    const nested = catching[kind].reduceRight((inner, key) => ({ [key]: inner }), { [kind]: note(kind, mails) });
    options = merge(options, nested);
  }
  return {
    ...options,
    database,
    plugins: [
      ...secondFactor(plugins.twoFactor, callbacks, mails),
      ...(plugins.bearer ? [bearer(plugins.bearer)] : []),
      ...(plugins.passkey ? [passkey(plugins.passkey)] : []),
      ...(plugins.admin ? [admin(describeAdmin(plugins.admin))] : []),
      ...(plugins.organization ? [organization(describeOrganization(plugins.organization, callbacks, mails))] : []),
      ...(plugins.apiKey ? [apiKey(plugins.apiKey)] : []),
      ...(plugins.jwt ? [jwt(describeJwt(plugins.jwt, callbacks))] : []),
      ...(plugins.username ? [username(plugins.username)] : []),
      ...(plugins.anonymous ? [anonymous({ ...plugins.anonymous, onLinkAccount: noteLink(mails) })] : []),
      ...(plugins.multiSession ? [multiSession(plugins.multiSession)] : []),
      ...(plugins.lastLoginMethod ? [lastLoginMethod(plugins.lastLoginMethod)] : []),
      ...(plugins.magicLink ? [magicLink({ ...plugins.magicLink, sendMagicLink: noteMagicLink(mails) })] : []),
      ...(plugins.emailOtp ? [emailOTP({ ...plugins.emailOtp, sendVerificationOTP: noteCode(mails) })] : []),
      ...(plugins.captcha ? [captcha(plugins.captcha)] : []),
      ...(plugins.deviceAuthorization ? [deviceAuthorization(describeDevices(plugins.deviceAuthorization, callbacks))] : []),
      ...(plugins.haveIBeenPwned ? [haveIBeenPwned(plugins.haveIBeenPwned)] : []),
      ...(plugins.oneTimeToken ? [oneTimeToken(plugins.oneTimeToken)] : []),
      ...(plugins.generic ? [genericOAuth({ config: plugins.generic.map(describeProvider) })] : []),
    ],
    logger: { disabled: true },
    telemetry: { enabled: false },
  };
}

/** Roles by what they allow become the roles of an access control. */
function describeAdmin({ roles, ...options }) {
  if (!roles) return options;
  const ac = createAccessControl(defaultStatements);
  const made = Object.entries(roles).map(([name, allowed]) => [name, ac.newRole(allowed)]);
  return { ...options, ac, roles: Object.fromEntries(made) };
}

/** The same for organisations, whose roles are the usual ones unless the app has its own. */
function describeOrganization({ ac: given, ...options }, callbacks, mails) {
  const ac = given && createAccessControl({ ...houses.defaultStatements, ...given.statements });
  const { ownerAc: owner, adminAc: admin, memberAc: member } = houses;
  const made = given?.roles ? Object.fromEntries(Object.entries(given.roles).map(([name, allowed]) => [name, ac.newRole(allowed)])) : { owner, admin, member };
  const hooks = callbacks.includes('organizationHooks') ? { organizationHooks: Object.fromEntries(HOOKS.map((kind) => [kind, noteHook(kind, mails)])) } : {};
  const mail = callbacks.includes('sendInvitationEmail') ? { sendInvitationEmail: noteInvitation(mails) } : {};
  return { ...options, ...(ac ? { ac, roles: made } : {}), ...hooks, ...mail };
}

const HOOKS = [
  'CreateOrganization', 'UpdateOrganization', 'DeleteOrganization', 'AddMember', 'RemoveMember', 'UpdateMemberRole', 'CreateInvitation', 'AcceptInvitation',
  'RejectInvitation', 'CancelInvitation', 'CreateTeam', 'UpdateTeam', 'DeleteTeam', 'AddTeamMember', 'RemoveTeamMember',
].flatMap((event) => [`before${event}`, `after${event}`]);

function noteHook(kind, mails) {
  return async ({ organization, team, user, inviter, cancelledBy }) => {
    mails.push(JSON.parse(JSON.stringify({ kind, organization: organization?.name, team: team?.name, user: (user ?? inviter ?? cancelledBy)?.email })));
  };
}

function noteInvitation(mails) {
  return async ({ id, role, email, organization, inviter, invitation }) => {
    mails.push({ kind: 'sendInvitationEmail', id, role, to: email, organization: organization.name, inviter: inviter.user.email, inviterRole: inviter.role, status: invitation.status });
  };
}

/** Our rows can be kept as the reference keeps them; it has no other way. */
function describeDevices({ referenceRows, ...options }, callbacks) {
  return { ...options, ...(callbacks.includes('validateClient') ? { validateClient: async (id) => id !== 'stranger' } : {}) };
}

/** Told of a visitor who became somebody. */
function noteLink(mails) {
  return async ({ anonymousUser, newUser }) => {
    mails.push({ kind: 'onLinkAccount', visitor: anonymousUser.user.email, to: newUser.user.email });
  };
}

/** What our server's functions say, the reference's say too. */
function describeJwt(given, callbacks) {
  const functions = {
    ...(callbacks.includes('definePayload') ? { definePayload: ({ user, session }) => ({ address: user.email, session: session.id }) } : {}),
    ...(callbacks.includes('getSubject') ? { getSubject: ({ user }) => user.email } : {}),
  };
  return { ...given, jwt: { ...given.jwt, ...functions } };
}

/** A provider by its addresses, or one of those whose addresses are known. */
function describeProvider({ preset, ...config }) {
  return preset ? presets[preset.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())](config) : config;
}

function secondFactor(given, callbacks, mails) {
  if (!given) return [];
  const { maxFailedAttempts, ...options } = given;
  const lockout = maxFailedAttempts ? { accountLockout: { maxFailedAttempts } } : {};
  const otp = callbacks.includes('sendOTP') ? { otpOptions: { sendOTP: note('sendOTP', mails) } } : {};
  return [twoFactor({ ...options, ...lockout, ...otp })];
}

function noteMagicLink(mails) {
  return async ({ email, url, token, metadata }) => {
    mails.push(JSON.parse(JSON.stringify({ kind: 'sendMagicLink', to: email, url, token, metadata })));
  };
}

function noteCode(mails) {
  return async ({ email, otp, type }) => {
    mails.push({ kind: 'sendVerificationOTP', to: email, otp, type });
  };
}

/** A callback that writes down what our server's postbox writes down. */
function note(kind, mails) {
  return async ({ user, newEmail, url, token, otp }) => {
    const mail = { kind, newEmail, otp, to: user.email, token, url };
    mails.push(JSON.parse(JSON.stringify(mail)));
  };
}
