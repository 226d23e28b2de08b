// The document that `HOUSEKEY_OPENAPI` names: valid OpenAPI 3.1 by somebody else's validator, every schema one that a JSON Schema
// compiler takes, and every example what its schema says.
// spec: KEY-6

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { Validator } from '@seriousme/openapi-schema-validator';
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const path = process.env.HOUSEKEY_OPENAPI;
assert.ok(path, 'HOUSEKEY_OPENAPI names the document');
const document = JSON.parse(readFileSync(path, 'utf8'));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, path, operation })),
);

test('the document is valid OpenAPI 3.1', async () => {
  assert.match(document.openapi, /^3\.1\./);
  assert.ok(operations.length > 10, `${operations.length} operations`);
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  assert.ok(valid, JSON.stringify(errors, null, 2));
});

test('a validator that takes anything would not have said so', async () => {
  const wrong = structuredClone(document);
  wrong.paths['/wrong'] = { get: { responses: 'none' } };
  const { valid } = await new Validator().validate(wrong);
  assert.ok(!valid);
});

test('every parameter of a path is described, and no other', () => {
  for (const { name, path, operation } of operations) {
    const named = [...path.matchAll(/\{([^}]+)\}/g)].map((match) => match[1]).sort();
    const described = (operation.parameters ?? []).filter((one) => one.in === 'path').map((one) => one.name);
    assert.deepEqual(described.sort(), named, name);
  }
});

test('operations have names of their own, and name ways to sign in that there are', () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  assert.equal(new Set(ids).size, ids.length);
  const schemes = Object.keys(document.components.securitySchemes ?? {});
  for (const { name, operation } of operations) {
    for (const way of operation.security ?? []) {
      assert.ok(Object.keys(way).every((scheme) => schemes.includes(scheme)), name);
    }
  }
});

test('every schema compiles, and every example is what its schema says', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats(ajv);
  // OpenAPI's own; JSON Schema leaves formats that it does not know alone.
  ajv.addFormat('password', true);
  ajv.addSchema({ $id: 'https://document.example/', ...document }, 'document');
  let examples = 0;
  const validate = (schema) => ajv.compile(rebased(schema));
  for (const schema of Object.values(document.components.schemas)) validate(schema);
  for (const { name, operation } of operations) {
    for (const answer of Object.values(operation.responses)) {
      for (const { schema } of Object.values(answer.content ?? {})) validate(schema);
    }
    for (const { schema, example } of Object.values(operation.requestBody?.content ?? {})) {
      const check = validate(schema);
      if (example === undefined) continue;
      examples += 1;
      assert.ok(check(example), `${name}: ${JSON.stringify(example)} ${JSON.stringify(check.errors)}`);
    }
  }
  assert.ok(examples > 5, `${examples} examples`);
});

/** The schema with references into the document. */
function rebased(schema) {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"https://document.example/#/components'));
}
