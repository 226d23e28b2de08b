// What several scenarios begin with.

export const PASSWORD = 'correct horse battery';

/** @param {string} name */
export function person(name) {
  return { name, email: `${name.toLowerCase()}@example.com`, password: PASSWORD };
}

/** Signs a person up, in a jar of their own name. */
export function signUp(world, name, more = {}) {
  return world.send(`${name} signs up`, { path: '/sign-up/email', json: { ...person(name), ...more }, jar: name });
}

export function signIn(world, name, more = {}, jar = name) {
  const { email, password } = person(name);
  return world.send(`${name} signs in`, { path: '/sign-in/email', json: { email, password, ...more }, jar });
}

export function session(world, name, what = `${name}'s session`) {
  return world.send(what, { path: '/get-session', jar: name });
}

/** The path and query of a link in a mail, as a step takes them. */
export function linkIn(mail) {
  const url = new URL(mail.url);
  return url.pathname.replace('/api/auth', '') + url.search;
}
