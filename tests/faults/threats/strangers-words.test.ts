// Rows of docs/security.md about words of strangers that come back: host names, long lists of what is wrong,
// SQL, and pages in the frame of another site. Each is tried on the whole program.
import { describe, expect, it } from '@jest/globals';
import { shared } from '../../support/shared.ts';
import { allOrSome, fullOrShort, fullOrSome, isFull } from '../../support/test-level.ts';
import { openWorkspace } from '../../support/workspace.ts';

const namespace = '/wp-json/notifier/v1';
const workspace = shared(() => openWorkspace());

const pages = (): string[] => [
  '/',
  '/issues',
  `/issues/${workspace.world.issueIds.basket}`,
  `/issues/${workspace.world.issueIds.basket}.json`,
  '/releases',
  '/projects',
  '/members',
  '/feedback',
  '/live',
  '/search?q=basket',
  '/sign-in',
  '/demo',
  '/nothing-of-the-kind',
];

interface RouteOfIndex {
  readonly endpoints: ReadonlyArray<{ readonly methods: string[]; readonly args: Record<string, unknown> }>;
}

async function routesOf(method: string): Promise<Array<[path: string, names: string[]]>> {
  const index = await workspace.app.get('');
  const routes = Object.entries(index.body.routes as Record<string, RouteOfIndex>);
  return routes.flatMap(([path, { endpoints }]): Array<[string, string[]]> => {
    const endpoint = endpoints.find(({ methods }) => methods.includes(method));
    if (endpoint === undefined || path.includes('(?P<')) return [];
    return [[path.replace('/notifier/v1', ''), Object.keys(endpoint.args)]];
  });
}

describe('a host that a visitor makes up', () => {
  it('stands in no answer; at the door of the pages it is text, in an answer that nobody else is shown', async () => {
    const [asked, forwarded] = ['asked-for.example', 'forwarded.example'];
    const { app } = workspace;
    const paths = [
      `${namespace}/issues`,
      `${namespace}/artifacts`,
      `${namespace}/no-route`,
      namespace,
      '/wp-json/',
      '/api/0/organizations/any/chunk-upload/',
      ...pages(),
    ];
    const answers = await Promise.all(
      paths.map((path) =>
        app.agent.get(path).set({
          Host: asked,
          'X-Forwarded-Host': forwarded,
          'X-Forwarded-Server': forwarded,
          Forwarded: `host=${forwarded}`,
          Authorization: `Bearer ${app.secretKey}`,
        }),
      ),
    );
    const told = answers.map(({ headers, text }) => JSON.stringify(headers) + text);
    const holding = (marker: string): string[] =>
      paths.filter((_path, index) => told[index]?.includes(marker));
    expect(holding(forwarded)).toEqual([]);
    // Who signs in is shown where they are.
    expect(holding(asked)).toEqual(['/sign-in']);
    const door = answers[paths.indexOf('/sign-in')];
    expect(door?.text.split(asked)).toHaveLength(2);
    expect(door?.text).toContain(`<bdi>${asked}</bdi>`);
    expect(door?.headers['cache-control']).toMatch(/private|no-store/);
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(3);
  });
});

/** WordPress says of each parameter what is wrong, in a sentence: so much, and for each of a route's own. */
const answerBytesMax = { all: 512, parameter: 192 };
/** Routes that refuse unknown parameters name so many of them. */
const unknownNamedMax = 10;

describe('a body in which everything is wrong', () => {
  it('is refused in a sentence for each parameter of the route, however much of it there is', async () => {
    const { app } = workspace;
    const long = Array.from({ length: fullOrShort(100_000, 400) }, () => 0);
    const routes = (await routesOf('POST')).filter(([path]) => !['/test-runs', '/artifacts'].includes(path));
    expect(routes.length).toBeGreaterThan(6);
    const sizes = await Promise.all(
      routes.map(async ([path, names]) => {
        const body = Object.fromEntries([...names, 'commits', 'message'].map((name) => [name, []]));
        for (const wrong of [{ ...body, commits: long, refs: long, domain: long, version: long }, long]) {
          const send = ['/store', '/envelope', '/feedback', '/sdk-verify'].includes(path)
            ? app.post(path, wrong)
            : app.postSecret(path, wrong);
          const { status, text } = await send;
          const isWhole =
            status < 500 &&
            text.length <=
              answerBytesMax.all + Math.max(names.length, unknownNamedMax) * answerBytesMax.parameter;
          if (!isWhole) return [path, status, text.length, text.slice(0, 200)];
        }
        return null;
      }),
    );
    expect(sizes.filter((each) => each !== null)).toEqual([]);
  });
});

describe('SQL in what is asked', () => {
  const sql = [
    "' OR 1=1 --",
    '" OR ""="',
    "') OR ('1'='1",
    '1; DROP TABLE issues; --',
    "x' UNION SELECT hash FROM project_keys --",
    '%',
    '_',
    '\\',
    "%' ESCAPE '%",
    '1 OR 1=1',
    "'; SELECT pg_sleep(9); --",
  ];

  it('finds what a word finds that is nowhere, by every parameter of every list', async () => {
    const { app } = workspace;
    const asked = (await routesOf('GET')).flatMap(([path, names]) =>
      names.map((name): [string, string] => [path, name]),
    );
    expect(asked.length).toBeGreaterThan(20);
    const before = (await app.get('/issues')).headers['x-wp-total'];
    const odd: unknown[] = [];
    for (const [index, [path, name]] of allOrSome(asked, 8).entries()) {
      const ask = async (word: string): Promise<unknown[]> => {
        const { status, body } = await app.get(`${path}?${name}=${encodeURIComponent(word)}`);
        return [status, Array.isArray(body) ? body.length : body.code];
      };
      const nowhere = JSON.stringify(await ask('nowhere-at-all'));
      // In the short form the next parameter is asked the next of the words.
      for (const word of sql.filter((_word, at) => isFull() || (at + index) % 3 === 0)) {
        // A search refuses OR, as Sentry's does.
        if (name === 'query' && word.includes(' OR ')) continue;
        const found = JSON.stringify(await ask(word));
        if (found !== nowhere) odd.push([path, name, word, found, nowhere]);
      }
    }
    expect(odd).toEqual([]);
    expect(Number(before)).toBeGreaterThan(1);
    expect((await app.get('/issues')).headers['x-wp-total']).toBe(before);
  });

  it('is no id', async () => {
    const { app } = workspace;
    const id = workspace.world.issueIds.basket;
    expect(await app.get(`/issues/${id}`)).toHaveStatus(200);
    for (const word of ["' OR '1'='1", ' OR 1=1', '; DROP TABLE issues', '/**/', '%00', ' UNION SELECT 1']) {
      expect(await app.get(`/issues/${id}${encodeURIComponent(word)}`)).toHaveStatus(404);
    }
  });
});

describe('a page in the frame of another site', () => {
  it('is shown by no browser: every page says so, signed in or not', async () => {
    const { app, admin } = workspace;
    for (const path of fullOrSome(pages(), 4)) {
      for (const { headers } of [await app.agent.get(path), await admin.get(path)]) {
        const of = (name: string): unknown =>
          headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown>)[name];
        expect([path, of('content-security-policy')]).toEqual([
          path,
          expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'.*require-trusted-types-for/),
        ]);
        expect([path, of('x-frame-options')]).toEqual([path, 'DENY']);
        expect([path, of('cross-origin-opener-policy')]).toEqual([path, 'same-origin']);
        expect([path, of('x-content-type-options')]).toEqual([path, 'nosniff']);
      }
    }
  });
});
