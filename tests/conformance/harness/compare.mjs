// What two described answers do not have in common.

/**
 * @typedef {{ field: string, reference: unknown, ours: unknown }} Difference
 */

/** @returns {Difference[]} */
export function compareAnswers(reference, ours) {
  // Of two answers that do not even agree in their status the rest says nothing.
  if (reference.status !== ours.status) return [{ field: 'answer', reference: brief(reference), ours: brief(ours) }];
  return [
    ...compareValues('body', reference.body, ours.body),
    ...compareNamed('header', reference.headers, ours.headers),
    ...compareNamed('cookie', reference.cookies, ours.cookies),
  ];
}

/** `400 INVALID_TOKEN`: an answer in a word. */
function brief({ status, body }) {
  const said = body?.code ?? body?.message ?? (typeof body === 'string' ? body : JSON.stringify(body));
  return `${status} ${said}`.trim();
}

/** @returns {Difference[]} */
export function compareValues(field, reference, ours) {
  const isObject = (value) => value !== null && typeof value === 'object';
  if (!isObject(reference) || !isObject(ours) || Array.isArray(reference) !== Array.isArray(ours)) {
    return Object.is(reference, ours) ? [] : [{ field, reference, ours }];
  }
  const keys = new Set([...Object.keys(reference), ...Object.keys(ours)]);
  return [...keys].flatMap((key) => compareValues(`${field}.${key}`, reference[key], ours[key]));
}

/** The order among different names means nothing. */
function compareNamed(kind, reference, ours) {
  const names = new Set([...Object.keys(reference), ...Object.keys(ours)]);
  return [...names].flatMap((name) => compareValues(`${kind} ${name}`, reference[name], ours[name]));
}
