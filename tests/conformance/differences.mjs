// Where our engine and the reference differ. The differential run fails on every difference that is not listed here, and on
// every entry that no longer describes one.
//
// `intended` is for good: the reference is looser or odder there, and each entry says why we are not. `open` is what the run
// found and the engine has yet to mend; whoever mends it deletes the entry. A path that is left out means any path, a value that is
// left out any value. `answer` stands for a whole answer whose status differs, as `400 CODE`.

/**
 * @typedef {object} Entry
 * @property {string} reason
 * @property {string | RegExp} [scenario]
 * @property {string | RegExp} [step]
 * @property {string | RegExp} [method]
 * @property {string | RegExp} [path]
 * @property {string | RegExp} field
 * @property {unknown} [reference]
 * @property {unknown} [ours]
 */

const DISABLED = 'What no option turns on does not exist: it is 404 and empty, as every other unknown path.';
const STRICT = 'A field holds what its column holds. The reference stores whatever it is given, or fails with a 500.';
const FLOWS = 'Every sign-in with a provider that is under way has a cookie of its own, beside the one of the reference, which the newest owns: a second tab does not break the first.';
const BOUND = 'A sign-in that began with one provider cannot end with another, which may be an attacker’s: the state says whose it is.';
const VERIFIED = 'Id tokens are verified in the code flow too, by signature, issuer, audience and time; the reference believes what the token endpoints of built-in providers say.';
const PROVEN = 'A provider that has just proven an address has proven it; the reference looks at what was known before.';
const TOLD = 'The profile is as the provider wrote it, and the user has the fields of a user; the reference mixes in what it made of them.';
const RENEWED = 'What a refresh does not say is not made up: a token without an end has none, and an answer without a token is a failure. The reference keeps the old end, and asks again with every request.';
const ENROLLED = 'The answer after enrolment carries the session that lives, not the one that was just deleted.';

const FRESH = 'Which organisation and team are active is right at once, in the row and in the copy that a cookie carries; the reference changes the row only, or not even that.';
const ENDED = 'What was removed or deleted has no effect left at the next request, in no session: nothing is active that is not there.';
const EMPTY = 'Nothing to change is the request’s fault.';
const WHOLE = 'No list ends where nobody said so; the reference cuts every one at a hundred.';
const HIDDEN = 'A column that is not for clients is not for clients, whichever route answers.';
const TOLD_AFTER = 'Everything is asked for first, then written at once, and what has happened is told last. Who made the first team is in it, and that is told too.';
const NAMED = 'A message about a body says what in it is wrong.';

/** @type {Entry[]} */
export const intended = [
  {
    reason: 'Nothing under /api may be kept by a cache: every answer says so, not only that of get-session.',
    field: 'header cache-control', reference: undefined, ours: 'no-store',
  },
  {
    reason: 'Retry-After is the header that clients, proxies and libraries know; the reference sends X-Retry-After only. A locked second factor says it too.',
    field: 'header retry-after', reference: undefined, ours: /^\d+$/,
  },
  {
    reason: 'A real fixed window. In the reference every allowed request prolongs it, so that a steady client is refused for ever.',
    scenario: 'a steady client is not refused for ever', field: 'answer', reference: /^429 /, ours: /^200 /,
  },

  {
    reason: 'What is no JSON is no answer of a captcha’s provider, and not a no: the page hears that something is out of order.',
    scenario: /^a captcha of/, step: 'a page', field: 'answer', reference: '403 VERIFICATION_FAILED', ours: '500 UNKNOWN_ERROR',
  },
  {
    reason: 'What people see is a name that is looked after: nobody shows another’s, a reserved one or one that looks like it, unless the app says what may be shown.',
    scenario: 'showing another name than one’s own', field: 'answer', reference: /^200/, ours: '400 INVALID_DISPLAY_USERNAME',
  },
  {
    reason: 'What is shown is the name, as it was typed: it changes with it and goes with it.',
    scenario: /^(changing a name|names and the cookie cache)$/, field: /^(body|cookie better-auth\.session_data\.value\.compact)\.user\.displayUsername$/,
  },
  {
    reason: 'A session that is handed over is no new one: whoever brings a token is not given the next.',
    scenario: 'a token that works once with every sign-in', step: 'brought', field: /^header (set-ott|access-control-expose-headers)$/, ours: undefined,
  },

  {
    reason: 'What a link proves is the address that the mail went to, and that is the one on file: in lower case.',
    scenario: 'the spelling of an address in a link', method: 'MAIL', field: 'mail.0.to', reference: 'Ada@Example.com', ours: 'ada@example.com',
  },
  {
    reason: 'Wrong codes end in the same way for an address that is nobody’s: else the fourth one tells who has an account.',
    scenario: 'wrong codes for somebody unknown', step: 'wrong 4', field: 'answer', reference: '400 INVALID_OTP', ours: '403 TOO_MANY_ATTEMPTS',
  },
  {
    reason: 'Whoever has a second factor is asked for it, whatever the first one was.',
    scenario: 'a second factor after a code', step: 'the code', field: /^(body|cookie) ?/,
  },
  {
    reason: 'Being signed in as somebody else is an attack as well: a foreign page cannot send a code, as it cannot send a password.',
    scenario: 'a code from a foreign page', step: 'signs in', field: 'answer', reference: /^200 /, ours: '403 INVALID_ORIGIN',
  },
  {
    reason: 'Where nobody may sign up, nobody unknown is mailed a link that can only say no.',
    scenario: 'no new users by link', step: 'nothing to open', method: 'MAIL', field: 'mail.0', ours: undefined,
  },

  { reason: DISABLED, scenario: /no option turns on|with providers|no new users/, field: 'answer', ours: '404' },
  { reason: DISABLED, path: /^\/(get-session|two-factor\/(send|verify)-otp)$/, method: 'POST', field: 'answer', reference: /^4(00|05|15) /, ours: '404' },
  { reason: DISABLED, scenario: /no option turns on|with providers|disabled paths/, field: 'body', ours: '' },
  { reason: DISABLED, scenario: /no option turns on|with providers|disabled paths/, field: 'header content-type', ours: undefined },

  {
    reason: 'No client can try passwords: this is a function for server code, and 404 and empty over HTTP. The reference marks it as such and answers all the same.',
    path: '/verify-password', field: 'answer', ours: '404',
  },
  {
    reason: 'The words of the reference, and then what a program that is no browser has to send.',
    field: 'body.message', reference: 'Missing or null Origin', ours: /^Missing or null Origin\. A program /,
  },
  {
    reason: 'A client with a token keeps no cookies: it gets no copy of its session in one, and one that it brings is not believed.',
    scenario: 'tokens and the cookie cache', step: 'read', field: 'cookie better-auth.session_data', ours: undefined,
  },
  {
    reason: 'A session shows the address it came from. The network of an IPv6 address is for counting requests; of ::1 it would leave nothing.',
    field: /^body\..*ipAddress$/, reference: /^[0-9a-f]{4}(:[0-9a-f]{4}){7}$/,
  },

  { reason: STRICT, scenario: /^an update with/, path: '/update-user', field: 'answer', reference: /^(200|500)/, ours: '400 VALIDATION_ERROR' },
  { reason: STRICT, scenario: /^a column of the wrong kind/, field: 'answer', reference: /^200/, ours: '400 VALIDATION_ERROR' },

  { reason: ENROLLED, path: '/two-factor/verify-totp', step: /^the (first|right) code$/, field: 'body.token' },
  { reason: ENROLLED, path: '/two-factor/verify-totp', field: 'body.user.twoFactorEnabled', reference: false, ours: true },
  {
    reason: 'A code by time is good once: who reads it over a shoulder cannot use it again.',
    scenario: 'a code is good once', step: 'the same code', field: 'answer', reference: /^200/, ours: '401 INVALID_CODE',
  },
  {
    reason: 'Who resets a password may do so because someone else is in: every session ends unless revokeSessionsOnPasswordReset is false.',
    scenario: 'a reset ends every session unless told otherwise', path: '/get-session', field: /^(body|cookie better-auth\.(session_token|session_data|dont_remember))$/,
  },
  {
    reason: 'A reset ends every other link of the account: who kept one could set yet another password.',
    scenario: 'reset links end', step: 'the first is still open', field: 'header location',
  },
  {
    reason: 'Whoever follows a reset link has the mailbox: the address counts as proven from then on.',
    scenario: /^(resetting a password|with (hashed identifiers|several secrets|other names for tables and columns))$/, field: 'body.user.emailVerified', reference: false, ours: true,
  },
  {
    reason: 'A session that is not remembered is not renewed, whichever cookies come or stay away. In the reference, trusting the device makes it one that is.',
    scenario: 'trusting a device of a sign-in that is not remembered', path: '/get-session', field: /^(body\.session\.expiresAt|cookie better-auth\.session_token)$/,
  },
  {
    reason: 'A list of sessions tells no token but one’s own: whoever knows one is that session. The id in its place ends it as well.',
    path: '/list-sessions', field: /^body\.\d+\.token$/,
  },
  {
    reason: 'A session that was ended cannot write with the copy in its cookie, nor have that copy renewed.',
    scenario: 'an ended session cannot prolong its copy', path: '/update-user', field: 'answer', reference: /^200/, ours: '401 UNAUTHORIZED',
  },
  {
    reason: 'A link to delete an account is not spent by someone else who opens it.',
    scenario: 'a link to delete that someone else opens', step: 'as oneself', field: 'answer', reference: '404 INVALID_TOKEN', ours: '302',
  },
  {
    reason: 'An account that is deleted with the token of the mail leaves no cookies behind, as in the other ways; the reference forgets it.',
    scenario: 'deleting oneself with the token of the mail', field: /^cookie better-auth\.(session_token|session_data|dont_remember)$/,
  },
  {
    reason: 'A passkey that cannot be registered is the request’s fault, not the server’s.',
    path: '/passkey/verify-registration', field: 'answer', reference: '500 FAILED_TO_VERIFY_REGISTRATION', ours: '400 FAILED_TO_VERIFY_REGISTRATION',
  },
  {
    reason: 'A form has texts only, so a ticked “remember me” is a text. The reference refuses it.',
    scenario: 'a form signs up too', step: 'a form with true', field: 'answer', reference: '400 VALIDATION_ERROR', ours: /^200/,
  },
  {
    reason: 'Said explicitly, disableCSRFCheck: false keeps that check even when disableOriginCheck is true; in the reference the latter wins.',
    scenario: 'with {"disableOriginCheck":true,"disableCSRFCheck":false}', field: 'answer', ours: '403 INVALID_ORIGIN',
  },
  {
    reason: 'A name in front of the host makes one address look like another, and no browser sends one in Origin.',
    step: /(origin|referer) http:\/\/user@localhost:3000$/, field: 'answer', reference: /^200/, ours: '403 INVALID_ORIGIN',
  },
  {
    reason: 'A trusted `myapp://` trusts addresses of that form; `myapp:x` is not one.',
    step: /"myapp:x"/, field: 'answer', reference: /^(200|302)/, ours: /^403 INVALID_/,
  },
  {
    reason: 'Half a character and a number beyond all numbers are no JSON to us; JavaScript reads them as U+D800 and Infinity.',
    step: /\\ud800|1e999/, field: /^(answer|body\.(code|message))$/, ours: /^(400 )?(BAD_REQUEST|Invalid JSON in request body)$/,
  },

  // Sign-in with providers.
  { reason: FLOWS, field: /^cookie better-auth\.(oauth_)?state\.[0-9a-f]{10}\./, reference: undefined },
  { reason: FLOWS, scenario: /^a state in a \w+ of a second tab$/, step: /^the first comes back/, field: /./ },
  {
    reason: 'The state cookie lives as long as its row: whoever takes more than five minutes to find a password finishes all the same.',
    field: 'cookie better-auth.state.attributes', reference: /^Max-Age=300;/, ours: /^Max-Age=600;/,
  },
  { reason: BOUND, field: /^(rows\.\d+\.value|cookie better-auth\.oauth_state\.value\.sealed)\.oauthProvider$/, reference: undefined },
  { reason: BOUND, scenario: /^a state in a \w+ names its provider$/, step: /^at another provider/, field: /./ },
  {
    reason: 'A state in a cookie is good once, too: a row says that it was used, for as long as the cookie could be sent again.',
    scenario: /^a state in a cookie/, path: 'verification', field: /^rows\.\d+$/, reference: undefined,
  },
  {
    reason: 'Only cookies that came are taken away.',
    scenario: 'a state cookie that nobody asks for', field: 'cookie better-auth.state', ours: undefined,
  },
  { reason: VERIFIED, scenario: /^a forged id token in a code flow/, field: /^(cookie better-auth\.session_token|rows\.\d+)$/, ours: undefined },
  { reason: VERIFIED, scenario: /^a forged id token in a code flow/, field: 'header location', reference: '/hello', ours: '/sorry?a=b&error=unable_to_get_user_info#c' },
  { reason: `${VERIFIED} The keys are kept for a while; the reference asks for them with every id token.`, field: 'asked.keys' },
  {
    reason: 'An OpenID provider sends an id token; without one the nonce is compared with nothing.',
    scenario: 'an id token of a discovered provider: no id token at all', field: /./,
  },
  {
    reason: 'A second factor that is on is asked for after a provider too, unless the provider is trusted for it.',
    scenario: 'a second factor after a provider', step: /^(signs in with google|phone's session)/, field: /./,
  },
  {
    reason: 'A Microsoft account from before 1.7 is known by its `sub`, and gets its `oid`; in the reference its owner is a stranger.',
    scenario: 'a microsoft account from before it had an oid', field: /./,
  },
  { reason: PROVEN, scenario: 'an address that has to be proven first', step: /^proven/, field: /./ },
  {
    reason: 'What is no address is none, whoever says it.',
    scenario: 'a profile with an address that is none', field: /./,
  },
  {
    reason: 'Nothing that a provider says is a failure of ours: the visitor is led to a page that says what happened.',
    method: 'GET', path: /^\/callback\//, field: 'answer', reference: '500', ours: '302',
  },
  {
    reason: 'A token endpoint that answers garbage did not take the code.',
    scenario: 'a refusal: a token endpoint that answers garbage', field: 'header location', reference: /unable_to_get_user_info/, ours: /invalid_code/,
  },
  {
    reason: 'A provider that needs a secret and has none says so before anybody is sent there; in the reference the visitor comes back in vain.',
    scenario: 'a provider without its secret', step: 'begins with github', field: 'answer', ours: '500',
  },
  {
    reason: 'With an app beside the site, tokens of either are ours.',
    scenario: 'an id token of Apple for the site, where there is an app too', step: 'for the site', field: 'answer', reference: '401 INVALID_TOKEN', ours: /^200/,
  },
  {
    reason: 'The order of scopes, and of parameters that are not the standard’s, means nothing to a provider.',
    scenario: 'parameters in another order', field: /^(body\.url|header location)$/,
  },
  {
    reason: 'An option that is said is heard.',
    scenario: 'a start at google with {"responseMode":"form_post"}', field: /^(body\.url|header location)$/, ours: /&response_mode=form_post&/,
  },
  {
    reason: 'A parameter that is asked for is passed on, to Cloudflare as to the others.',
    scenario: 'cloudflare, from the first address to the row', field: /^(body\.url|header location)$/, ours: /&more=1$/,
  },
  {
    reason: 'Whoever cannot be read is not asked for more.',
    scenario: /^a profile that answers/, field: /^asked/,
  },
  { reason: TOLD, path: '/account-info', field: /^body\.(data|user)\.\w+$/, ours: undefined },
  { reason: RENEWED, scenario: 'a refresh that says less', field: /accessTokenExpiresAt$|^asked\.requests/ },
  { reason: RENEWED, scenario: 'a refresh that fails', step: /^empty/, field: /./ },
  {
    reason: 'An answer without a body has no type.',
    path: /^\/(get-access-token|refresh-token|account-info)$/, step: /^nobody/, field: 'header content-type', ours: undefined,
  },
  {
    reason: 'The column that the reference had from 1.7.0 to 1.7.2 stays in our schema: a database of either has a place for it.',
    field: /^(rows\.\d+|cookie better-auth\.account_data\.value\.claims)\.issuer$/, reference: undefined, ours: /^local:/,
  },
  {
    reason: 'Of an account the cookie carries what there is, and no column for a password.',
    field: /^cookie better-auth\.account_data\.value\.claims\.(password|refreshTokenExpiresAt)$/, reference: null, ours: undefined,
  },
  {
    reason: 'We say who asks.',
    field: /^asked\.requests\.\d+\.headers\.user-agent$/, reference: 'better-auth', ours: 'housekey',
  },

  { reason: 'An answer without a body has no type.', scenario: 'no admin route without a session or a right', field: 'header content-type', ours: undefined },
  {
    reason: 'The rules for passwords hold for an admin who makes a user, too.',
    scenario: 'an admin sets a password that is too short', path: '/admin/create-user', field: 'answer', reference: /^200/, ours: '400 PASSWORD_TOO_SHORT',
  },
  {
    reason: 'A password that an admin sets ends the sessions of the account: whoever was let in by the old one is out.',
    scenario: 'an admin sets a password', step: 'the session from before', field: /^(body|cookie better-auth\.(session_token|session_data|dont_remember))$/,
  },
  {
    reason: 'One name is one role: a comma inside of it is a second role that whoever looked at the first did not see. And nobody has no role.',
    scenario: 'role names that are several or none', field: 'answer', reference: /^200/, ours: '400 YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE',
  },
  {
    reason: 'A field that there is not is said: an empty list looks as if there was nobody.',
    scenario: 'a list of users by what there is not', field: 'answer', reference: /^200/, ours: '400 VALIDATION_ERROR',
  },
  {
    reason: 'A search is for the characters as they are; the reference takes % for anything.',
    scenario: 'a search for a character that means something to a database', field: /^body\.(total|users\.\d+)$/,
  },
  {
    reason: 'Whoever knows a token is that session: an admin gets the id in its place, which ends the session and opens nothing.',
    path: '/admin/list-user-sessions', field: /^body\.sessions\.\d+\.token$/,
  },
  {
    reason: 'Whoever signs out while acting as somebody is gone: the admin’s session that waited behind ends too.',
    scenario: 'signing out while acting as somebody', path: '/sign-out', field: 'cookie better-auth.admin_session', reference: undefined,
  },
  {
    reason: 'There is always an admin left.',
    scenario: 'the last admin', field: 'answer', reference: /^200/, ours: '400 LAST_ADMIN',
  },

  // Organisations.
  {
    reason: 'A column of ours, so that the database knows of no two open invitations for one address.',
    method: 'ROWS', field: /^rows\.\d+\.pendingKey$/, reference: undefined,
  },
  {
    reason: 'What an app keeps with an organisation is an object: the order of its keys means nothing.',
    scenario: 'somebody founds organisations', field: /^(body|rows)\.0\.metadata$/,
  },
  { reason: 'An answer without a body has no type.', scenario: /^(every route of .* asked by nobody|roles are given and taken)$/, field: 'header content-type', ours: undefined },
  {
    reason: 'Whoever looks at an organisation of others is refused, and keeps their own.',
    scenario: /^(a reader who is no member|an organisation is chosen|every route of organisations, asked by a stranger)$/, step: /after|^what is (kept|left)$/, field: /^(body\.session|rows\.\d+)\.(activeOrganizationId|updatedAt)$/,
  },
  {
    reason: 'Whoever looks at an organisation of others is refused, and keeps their own.',
    scenario: 'every route of organisations, asked by a stranger', path: '/organization/get-active-member', field: 'answer', reference: '400 NO_ACTIVE_ORGANIZATION', ours: /^200/,
  },
  { reason: EMPTY, scenario: /^an organisation is given nothing to change$/, field: 'answer', reference: '500', ours: '400 NO_DATA_TO_UPDATE' },
  { reason: EMPTY, scenario: /^a (team|role) is given nothing to change$/, field: 'answer', reference: /^200/, ours: '400 NO_DATA_TO_UPDATE' },
  {
    reason: 'Whoever is nobody learns nothing of the options.',
    scenario: 'organisations that cannot be deleted', step: 'by nobody', field: 'answer', reference: '404 ORGANIZATION_DELETION_DISABLED', ours: '401',
  },
  { reason: ENDED, scenario: /^what is left to /, field: /^(answer|body\.(code|message)|(body\.session|rows\.\d+)\.(active(Organization|Team)Id|updatedAt))$/ },
  { reason: ENDED, scenario: 'who leaves an organisation leaves its teams', step: 'what is active for him', field: 'body.session.activeTeamId', ours: null },
  { reason: FRESH, scenario: /^the copy in a cookie/, field: /^(cookie better-auth\.session_(data|token)|body\.session)/ },
  { reason: FRESH, scenario: 'the organisation of before is active after a sign-in', field: /^body(\.session\.activeOrganizationId)?$/, reference: null },
  {
    reason: 'Whoever changes to another organisation leaves the team of the one before.',
    scenario: 'a team of another organisation is not active', path: '/get-session', field: 'body.session.activeTeamId', ours: null,
  },
  {
    reason: 'A team leads to its organisation: whoever is in it has both active, and never a team without its organisation.',
    path: '/organization/set-active-team', field: 'answer', reference: /^400 (TEAM_NOT_FOUND|NO_ACTIVE_ORGANIZATION)$/, ours: /^(200 |403 USER_IS_NOT_A_MEMBER_OF_THE_TEAM$|400 TEAM_NOT_FOUND$)/,
  },
  {
    reason: 'A team leads to its organisation: whoever is in it has both active, and never a team without its organisation.',
    scenario: 'a team of another organisation is not active', path: '/get-session', step: 'the team of before is not', field: 'body.session.activeTeamId',
  },
  { reason: DISABLED, path: '/update-session', field: 'answer', reference: /^400/, ours: '404' },
  {
    reason: 'A number that is not whole is none.',
    scenario: 'a list of members where the reference fails or does not listen', step: /^half a member/, field: /^(answer|body\.members\.\d+)$/,
  },
  {
    reason: 'An operator that is known works.',
    scenario: 'a list of members where the reference fails or does not listen', step: 'one of several', field: 'answer', reference: '500', ours: /^200/,
  },
  {
    reason: 'A direction is heard without a field too: a list has an order of its own.',
    scenario: 'a list of members where the reference fails or does not listen', step: 'backwards', field: /^body\.members\./,
  },
  {
    reason: 'Who has a role has it, also beside another one.',
    scenario: 'a list of members where the reference fails or does not listen', step: 'one of several roles', field: /^body\.(total|members\.\d+)$/,
  },
  {
    reason: 'A field that there is not is said; the reference fails.',
    scenario: 'a list of members by what there is not', field: 'answer', reference: '500', ours: '400 VALIDATION_ERROR',
  },
  { reason: 'A role that is named twice is one role.', field: /^(body|mail\.\d+|body(\.invitations)?\.\d+|rows\.\d+)\.role$/, reference: 'member,member', ours: 'member' },
  {
    reason: 'Whoever is gone invites nobody.',
    scenario: 'an invitation from somebody who is gone', step: 'accepted', field: 'answer', reference: /^200/, ours: '400 INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION',
  },
  {
    reason: 'An invitation that is over is not one that somebody has.',
    scenario: 'the invitations that somebody has', step: 'after their end', field: 'body.0', ours: undefined,
  },
  { reason: NAMED, path: /^\/organization\/(has-permission|(update|delete)-role)$/, field: 'body.message', reference: /\[body\] Invalid input/ },
  { reason: NAMED, path: '/organization/update-team', field: 'body.message', reference: /expected object/, ours: /expected record/ },
  { reason: NAMED, path: '/organization/invite-member', field: 'body.message', reference: '[body.teamId] Invalid input' },
  {
    reason: 'A team without a name is none.',
    scenario: 'an invitation into a team without a name', field: 'answer', reference: /^200/, ours: '400 INVALID_TEAM_ID',
  },
  {
    reason: 'A role has one name: a comma inside of it is a second one.',
    scenario: 'roles of an organisation whose names are several or none', field: 'answer', reference: /^200/, ours: '400 VALIDATION_ERROR',
  },
  {
    reason: 'The cookie with the token is not sent again where the token is the same.',
    scenario: 'invitations into teams', path: '/organization/accept-invitation', field: 'cookie better-auth.session_token', ours: undefined,
  },
  { reason: HIDDEN, scenario: 'organisations with columns of an app’s own', field: /^body(\.(invitation|member|roleData|members\.\d+|\d+))?\.secret$/, ours: undefined },
  { reason: TOLD_AFTER, scenario: /^an app hears/, step: /^(founded|joined|before)$/, field: /^mail\.\d+/ },
  {
    reason: 'Before a change an app is told what there is, and beside it what changes.',
    scenario: /^an app hears/, step: /^(changed|renamed)$/, field: /^mail\.0\.(organization|team)$/,
  },
  { reason: WHOLE, scenario: 'more than a hundred of everything', field: /^body(\.\w+)?\.1\d\d$/, reference: undefined },
  {
    reason: 'What belongs to others is not there; the reference looks at it, and says so.',
    scenario: 'an owner who names what belongs to another organisation', path: '/organization/remove-member', field: /^body\.(code|message)$/, ours: /^(MEMBER_NOT_FOUND|Member not found)$/,
  },
  { reason: STRICT, scenario: 'names at sign-up', step: 'a number', field: 'answer', reference: '422 FAILED_TO_CREATE_USER', ours: '400 VALIDATION_ERROR' },
  {
    reason: 'Some names are nobody’s: whoever is called admin is believed to be one.',
    scenario: 'whether a name is free', step: 'reserved', field: 'body.available', reference: true, ours: false,
  },
  {
    reason: 'The cookie of one of several accounts is set again with that of the session, so that it does not run out while the session goes on.',
    path: /^\/multi-session\/(set-active|revoke)$/, field: /^cookie better-auth\.session_token_multi-/, reference: undefined,
  },
  {
    reason: 'The cookie of one of several accounts goes when its session has ended.',
    scenario: 'several accounts and a second factor', step: 'the first code', field: /^cookie better-auth\.session_token_multi-/, reference: undefined,
  },
  {
    reason: 'A session that ends with the browser does so for every cookie that leads to it.',
    scenario: 'an account that is not remembered', field: /^cookie better-auth\.session_token_multi-.*attributes$/,
  },
  {
    reason: 'By what somebody signed in is known when they are in; with a second factor that is after it, and the first one counts.',
    scenario: 'by what somebody signed in last, with a second factor', field: /^cookie better-auth\.(last_used_login_method|login_method)$/,
  },
  {
    reason: 'A key that nobody can open is replaced; the reference fails for ever.',
    scenario: 'a key that nobody can open', path: /^\/(token|get-session)$/, field: 'answer', reference: /^500/, ours: /^200/,
  },
  {
    reason: 'A key that nobody can open is replaced, and the old one stays published for its grace.',
    scenario: 'a key that nobody can open', path: '/jwks', field: 'body.keys.1', reference: undefined,
  },
  { reason: 'A key that was changed says when.', scenario: 'API keys are read, listed, changed and deleted', path: '/api-key/update', field: 'body.updatedAt' },
  {
    reason: 'No API key is limited unless somebody says so: ten uses a day end a script before its first morning is over.',
    scenario: 'API keys without a word about limits', field: /^body\.rateLimit(Enabled|Max|TimeWindow)$/,
  },
  {
    reason: 'A key in an address is in every log on its way; it is refused, and whoever sent it is told.',
    scenario: 'API keys without a word about limits', step: 'in an address', field: 'answer', reference: /^200/, ours: '400 KEY_IN_ADDRESS',
  },
];

/** @type {Entry[]} */
export const open = [
  { reason: 'A role that was never changed has no time of change.', path: /(-roles?|^organizationRole)$/, field: /^(body(\.roleData|\.\d+)?|rows\.\d+)\.updatedAt$/ },
];
