// VitePress comes from the registry, by npx.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { describeWithPrograms } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const repository = resolve(import.meta.dirname, '../..');

describeWithPrograms('npm run docs', ['npx'], () => {
  const { path: folder, remove } = temporaryFolder();
  afterAll(remove);

  function build(source: string) {
    const site = join(folder, 'site');
    const script = [join(repository, 'scripts/docs.ts'), site, source];
    const { status, stdout, stderr } = spawnSync(process.execPath, script, { encoding: 'utf8' });
    return { site, status, said: stdout + stderr };
  }

  it('creates a page for each of docs/, and for the README with its pictures', () => {
    const { site, status, said } = build(repository);
    expect([status, said]).toEqual([0, expect.stringContaining('build complete')]);
    const pages = readdirSync(join(repository, 'docs')).filter((name) => name.endsWith('.md'));
    const missing = pages.filter((name) => !existsSync(join(site, name.replace('.md', '.html'))));
    expect([pages.length > 30, missing]).toEqual([true, []]);
    expect(readFileSync(join(site, 'index.html'), 'utf8')).toMatch(/<img [^>]*src="[^"]+\.webp"/);
  });

  it('fails on a dead link, and names it', () => {
    const source = join(folder, 'source');
    mkdirSync(join(source, 'docs'), { recursive: true });
    writeFileSync(join(source, 'README.md'), '# A\n\n## Documentation\n\n- **Use**: [one](docs/one.md)\n\n');
    writeFileSync(join(source, 'docs/one.md'), '# One\n\nSee [nothing](no-such-page.md).\n');
    const { status, said } = build(source);
    expect([status, said]).toEqual([1, expect.stringContaining('./no-such-page')]);
  });
});
