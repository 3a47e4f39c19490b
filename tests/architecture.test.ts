// docs/architecture.md: the steps of an event are those it takes, and the picture shows modules that exist.
import { existsSync, readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { openTestApp, type TestApp } from './support/app.ts';

const repository = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(repository, path), 'utf8');
const page = read('docs/architecture.md');

interface Step {
  readonly place: number;
  readonly name: string;
  readonly file: string;
}

const steps: Step[] = [...page.matchAll(/^\| (\d+) \| `(\w+)` \| \[([\w./-]+)\]\(\.\.\/([\w./-]+)\)/gm)].map(
  ([, place, name = '', file = '']) => ({ place: Number(place), name, file }),
);

/** Functions that ran while `job` did, as `file name`. */
async function functionsRunBy(job: () => Promise<unknown>): Promise<Set<string>> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    await job();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return new Set(
      result.flatMap(({ url, functions }) => {
        const file = url.replace(/^file:\/\//, '').replace(`${repository}/`, '');
        return functions
          .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
          .map(({ functionName }) => `${file} ${functionName}`);
      }),
    );
  } finally {
    session.disconnect();
  }
}

const opened: TestApp[] = [];
afterAll(async () => {
  for (const app of opened.splice(0)) await app.close();
});

describe('the steps of an event', () => {
  it('are at most fourteen, in order, each declared where the page says', () => {
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.length).toBeLessThanOrEqual(14);
    expect(steps.map(({ place }) => place)).toEqual(steps.map((_step, index) => index + 1));
    const isDeclared = ({ name, file }: Step): boolean =>
      new RegExp(`function ${name}\\b`).test(existsSync(join(repository, file)) ? read(file) : '');
    expect(steps.filter((step) => !isDeclared(step))).toEqual([]);
  });

  it('are those that POST /store takes', async () => {
    const app = await openTestApp();
    opened.push(app);
    const run = await functionsRunBy(async () => {
      expect(await app.post('/store', { message: 'on its way' })).toHaveStatus(201);
    });
    // A handler is made when the table is; what runs is the nameless function in its file.
    const ran = ({ name, file }: Step): boolean =>
      run.has(`${file} ${name}`) || (file.startsWith('routes/') && run.has(`${file} `));
    expect(steps.filter((step) => !ran(step))).toEqual([]);
  });

  it('names functions in the files that have them', () => {
    const named = [...page.matchAll(/`(\w+)`[^`\n]*?\(?\[(src|routes|data)\/([\w./-]+\.ts)\]/g)];
    expect(named.length).toBeGreaterThan(10);
    const strange = named
      .map(([, name = '', module = '', path = '']) => ({ name, file: `${module}/${path}` }))
      .filter(({ name, file }) => !new RegExp(`\\b${name}\\b`).test(read(file)));
    expect(strange).toEqual([]);
  });
});

describe('the picture of the modules', () => {
  const shown = [...read('docs/architecture.svg').matchAll(/class="(name|small)"[^>]*>([^<]+)</g)].map(
    ([, kind, text = '']) => ({ kind, text }),
  );

  it('shows modules and folders that exist', () => {
    const modules = shown.filter(({ kind, text }) => kind === 'name' && text.endsWith('/'));
    expect(modules.length).toBeGreaterThan(8);
    expect(modules.filter(({ text }) => !existsSync(join(repository, text)))).toEqual([]);
    const folders = shown.filter(({ kind }) => kind === 'small');
    const isThere = (folder: string): boolean =>
      ['src/http', 'src/core'].some((module) => existsSync(join(repository, module, folder)));
    expect(folders.filter(({ text }) => !isThere(text))).toEqual([]);
  });
});

describe('an entry of the program', () => {
  it('asks for no name of Node before it has looked at the version: an old Node has not all', () => {
    for (const entry of ['server.ts', 'cli.ts']) {
      const [first, ...others] = [...read(`src/${entry}`).matchAll(/^import '\.\/(.+\.js)';$/gm)].map(
        ([, name]) => name ?? '',
      );
      expect(first).toBe('require-node.js');
      for (const name of ['require-node.js', ...others]) {
        const named = read(`src/${name}`).match(/^import (?!\w+ from 'node:|'node:).*$/gm) ?? [];
        expect([name, named]).toEqual([name, []]);
      }
    }
  });
});
