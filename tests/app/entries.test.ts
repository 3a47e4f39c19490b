import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from '@jest/globals';
import { parse } from 'acorn';

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '../..', path), 'utf8');

it('entry points check the version of Node before they import anything that an old Node lacks', () => {
  for (const entry of ['server.ts', 'cli.ts']) {
    const [first, ...others] = [...read(`src/${entry}`).matchAll(/^import '\.\/(.+\.js)';$/gm)].map(
      ([, name]) => name ?? '',
    );
    expect(first).toBe('require-node.js');
    for (const name of ['require-node.js', ...others]) {
      const named = read(`src/${name}`).match(/^import (?!\w+ from 'node:|'node:|'\.\/bin\/).*$/gm) ?? [];
      expect([name, named]).toEqual([name, []]);
    }
  }
});

it.each(['notifier', 'notifierd', 'require-node'])(
  'any Node can parse bin/%s.cjs up to the version check',
  (name) => {
    const text = read(`src/bin/${name}.cjs`);
    expect(() => parse(text, { ecmaVersion: 5, allowHashBang: true })).not.toThrow();
    const [first] = text.match(/(?<=require\(').*?(?='\))/g) ?? ['./require-node.cjs'];
    expect(first).toBe('./require-node.cjs');
  },
);

it('server and commands start without the packages that some of their work needs', () => {
  const script = `import { registerHooks } from 'node:module';
    registerHooks({ load(url, context, next) { console.log(url); return next(url, context); } });
    await import('./src/cli/run.ts');
    await import('./src/app/serve.ts');
    console.log(process.moduleLoadList.includes('NativeModule internal/deps/undici/undici'));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: resolve(import.meta.dirname, '../..'),
    encoding: 'utf8',
  });
  const loaded = new Set(stdout.match(/(?<=\/node_modules\/)(?:@[^/]+\/)?[^/]+/g));
  expect([stderr, loaded.has('better-sqlite3')]).toEqual(['', true]);
  const needed = [
    '@modelcontextprotocol',
    '@redis',
    '@simplewebauthn',
    'nodemailer',
    'parse5',
    'pg',
    'tldts',
    'undici',
  ];
  expect([...loaded].filter((name) => needed.includes(name.split('/')[0] ?? ''))).toEqual([]);
  // Node's own undici: 40 ms and 4 MiB.
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('false');
});
