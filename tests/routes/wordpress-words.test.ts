import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { notifierRoutes } from '../../routes/index.ts';
import { deployRequest } from '../../schemas/deploys.ts';
import { releaseRequest } from '../../schemas/releases.ts';
import { assembleRequest } from '../../schemas/sentry-api.ts';
import type { Deps } from '../../src/core/deps.ts';
import { parseValue } from '../../src/http/api/parse-parameters.ts';
import { sharedApp } from '../support/shared.ts';
import { allOrSome, byLevel, fullOrShort } from '../support/test-level.ts';

const app = sharedApp();

/** The sentences of WordPress's REST server about a value (rest-api.php), `P` being the parameter's name. */
const wordpressForms = [
  /^P is not of type [a-z,]+\.$/,
  /^P is not one of .+\.$/,
  /^P is not [^ ]+\.$/,
  /^[^ ]+ is a required property of P\.$/,
  /^P must be (?:at least|at most) [\d,]+ characters? long\.$/,
  /^P must contain (?:at least|at most) [\d,]+ (?:items?|property|properties)\.$/,
  /^P must be (?:less|greater) than(?: or equal to)? -?\d+$/,
  /^P must be between -?\d+ \((?:in|ex)clusive\) and -?\d+ \((?:in|ex)clusive\)$/,
  /^P does not match pattern .+\.$/,
  /^P does not match any of the expected formats\.$/,
  /^P is not a valid (?:UUID|IP address)\.$/,
  /^Invalid (?:date|email address)\.$/,
];

/** Ours, where WordPress has no words: about hosts, addresses, dates, screenshots, issues and reports. */
const ourForms = [
  /^(?:An IP address|The domain|.* domain) .+\.$/,
  /^P must be (?:an http or https URL|a hostname|origins, for example .+|base64 or a data: URL)(?:, .+)?\.$/,
  /^P must (?:be PNG, JPEG or WebP images|not contain credentials)\.$/,
  /^P must (?:not contain|not be|be given|contain|have names of) .+\.$/,
  /^P must be at most [\d,]+ bytes long\.$/,
  /^P must be (?:a week or month|an IP address or a network|a time of day|lowercase letters, digits and hyphens|a date|a time zone), for example .+\.$/,
  /^P (?:contains an issue that does not exist|is not a merge that can be undone|is not valid JSON)\.$/,
  /^P is not (?:a CTRF object, .+|a whole number of at least 0|an object of scalars|RFC 3339)\.$/,
];

const wrongValues = [
  ...['null', 'true', '5', '-1', '1.5', '1e400', '9007199254740993', '""', '"x"', '"5"', '[]', '{}', '[1]'],
  ...['[null]', '[[{}]]', '[{}]', '{"a":1}', '{"a":{}}', '{"0":[]}', JSON.stringify('y'.repeat(20_000))],
];

/** The least that a route takes, so that only the wrong value is told. */
const rightBodies: Readonly<Record<string, Record<string, unknown>>> = {
  '/releases': { version: '1' },
  '/deploys': { version: '1', environment: 'production' },
  '/sdk-verify': { sdk: { name: 'a', version: '1' }, domain: 'a.example' },
  '/store': { message: 'm' },
  '/feedback': { message: 'm' },
  '/domains': { domain: 'a.example' },
};

describe('WordPress error messages', () => {
  it('are used for every wrong value in every field of every route', async () => {
    const odd: string[] = [];
    let told = 0;
    for (const route of notifierRoutes({} as Deps)) {
      if (route.schema === undefined || route.method === 'GET' || route.hidden === true) continue;
      const path = route.path.replace('{id}', '1').replace(/\{project[^}]*\}/, String(app.project.id));
      const key =
        route.credential === 'secret'
          ? { Authorization: `Bearer ${app.secretKey}` }
          : { 'X-Notifier-Key': app.publicKey };
      for (const body of allOrSome(
        [...wrongBodies(route.schema, rightBodies[route.path] ?? {})],
        fullOrShort(32, 96),
      )) {
        const answer = await app.agent
          .post(`/wp-json/notifier/v1${path}`)
          .set(key)
          .set('Content-Type', 'application/json')
          .send(body);
        if (answer.status >= 500) odd.push(`${answer.status} ${route.path} ${body.slice(0, 200)}`);
        const sentences = sentencesOf(answer.body);
        told += sentences.length;
        const { details } = answer.body.data ?? {};
        for (const { param, text } of sentences) {
          if (details?.[param]?.message !== text) odd.push(`${route.path} ${param} without details`);
        }
        for (const sentence of sentences) {
          if (!isTold(sentence)) odd.push(`${route.path} ${body.slice(0, 120)}: ${sentence.text}`);
        }
      }
    }
    expect(odd).toEqual([]);
    expect(told).toBeGreaterThan(byLevel({ nightly: 1_000, full: 140, short: 10 }));
  });

  it('are in `params` and `details` also where a rule of ours refuses a value', async () => {
    const answer = await app.postSecret('/releases', { version: 'a/b' });
    const message = 'version must not contain a slash "/" (character 2).';
    expect(answer.body.data).toEqual({
      status: 400,
      params: { version: message },
      details: { version: { code: 'rest_invalid_param', message, data: null } },
    });
  });

  it.each([
    ['a release of the façade', releaseRequest],
    ['a deploy of the façade', deployRequest],
    ['an assembly of the façade', assembleRequest],
  ])('exist for %s, which WordPress does not check', (_name, schema) => {
    const odd: string[] = [];
    const bodies = [...wrongValues, ...wrongBodies(schema, {})].map((body) => JSON.parse(body) as unknown);
    for (const body of [undefined, ...bodies]) {
      try {
        parseValue(schema, body);
      } catch (refusal) {
        const { params } = (refusal as { extra: { params: Record<string, string> } }).extra;
        for (const sentence of sentencesOf({ data: { params } })) {
          if (!isTold(sentence)) odd.push(`${JSON.stringify(body)?.slice(0, 120)}: ${sentence.text}`);
        }
      }
    }
    expect(odd).toEqual([]);
  });
});

interface Sentence {
  readonly param: string;
  readonly text: string;
}

function sentencesOf(body: { data?: { params?: unknown } }): Sentence[] {
  const params = body.data?.params;
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return [];
  return Object.entries(params).map(([param, text]) => ({ param, text: String(text) }));
}

function isTold({ param, text }: Sentence): boolean {
  if (/invalid input|expected (?:string|number|array|object)|received|too (?:big|small)/i.test(text)) {
    return false;
  }
  // The name may go on into the value: `commits[0][id]`.
  const name = `${param.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:\\[[^\\]]*\\])*`;
  const worded = text
    .replace(new RegExp(`^${name}(?= )`), 'P')
    .replace(new RegExp(` of ${name}\\.$`), ' of P.');
  return [...wordpressForms, ...ourForms].some((form) => form.test(worded));
}

function* wrongBodies(schema: z.ZodType, right: Record<string, unknown>): Generator<string> {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  for (const [name, member] of Object.entries(root.properties ?? {})) {
    const { [name]: _replaced, ...others } = right;
    const rest = Object.entries(others).map(
      ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`,
    );
    for (const value of wrongIn(member)) yield `{${rest.join('')}${JSON.stringify(name)}:${value}}`;
  }
}

interface JsonSchema {
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

function* wrongIn(schema: JsonSchema): Generator<string> {
  yield* wrongValues;
  for (const branch of [schema, ...(schema.anyOf ?? [])]) {
    if (branch.items !== undefined) for (const value of wrongIn(branch.items)) yield `[${value}]`;
    for (const [name, member] of Object.entries(branch.properties ?? {})) {
      const required = (branch.required ?? []).filter((each) => each !== name);
      const rest = required.map((each) => `${JSON.stringify(each)}:"1",`).join('');
      for (const value of wrongIn(member)) yield `{${rest}${JSON.stringify(name)}:${value}}`;
    }
  }
}

it('of a union list the types if only the types differ', () => {
  const said = (schema: z.ZodType, value: unknown): string => {
    try {
      parseValue(z.object({ P: schema }), { P: value });
    } catch (refusal) {
      return (refusal as { extra: { params: Record<string, string> } }).extra.params['P'] ?? '';
    }
    return 'taken';
  };
  expect(said(z.union([z.string(), z.number()]), {})).toBe('P is not of type string,number.');
  const nested = z.union([z.array(z.string()), z.array(z.number())]);
  expect(said(nested, [true])).toBe('P does not match any of the expected formats.');
});
