// `npm run docs`: builds the documentation as a static site with search, from docs/ and the README. A dead link
// fails it. VitePress is run by npx at a fixed version: its 125 packages and 100 MB, with another version of
// Vite, are not worth an `npm ci` of everybody.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readEnvironment } from '../src/app/environment.ts';

const vitepress = 'vitepress@1.6.4';
const repository = join(import.meta.dirname, '..');
const usage = `Usage: npm run docs [-- OUT_FOLDER [SOURCE_FOLDER]]   (site, and this repository)

DOCS_REPOSITORY: the address below which links out of docs/ lead; without it they are text.
`;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', default: false } },
});
if (values.help) {
  process.stdout.write(usage);
  process.exit();
}
const outFolder = resolve(positionals[0] ?? join(repository, 'site'));
const source = resolve(positionals[1] ?? repository);
const { DOCS_REPOSITORY: repositoryUrl = '' } = readEnvironment();

const cache = join(repository, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'docs-'));
try {
  cpSync(join(source, 'docs'), folder, { recursive: true });
  const readme = readFileSync(join(source, 'README.md'), 'utf8');
  writeFileSync(join(folder, 'index.md'), readme.replaceAll('"docs/', '"./'));
  rewriteLinks('index.md', '.');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.md') && path !== 'index.md') rewriteLinks(path, 'docs');
  }
  mkdirSync(join(folder, '.vitepress'));
  writeFileSync(
    join(folder, '.vitepress/config.mjs'),
    `export default ${JSON.stringify(siteConfig(readme))};\n`,
  );
  const { status } = spawnSync('npx', ['--yes', vitepress, 'build', folder, '--outDir', outFolder], {
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}

/** Links of a page that lie in `base` of the repository: those within docs/ stay, others leave the site. */
function rewriteLinks(path: string, base: string): void {
  const text = readFileSync(join(folder, path), 'utf8');
  const here = join(base, dirname(path));
  const changed = text.replaceAll(
    /(?<!!)\[([^\]]*)\]\(([^)\s]+)\)/g,
    (whole, words: string, target: string) => {
      if (/^(?:[a-z]+:|#)/.test(target)) return whole;
      const full = normalize(join(here, target));
      if (/^docs\/.*\.md(?:#|$)/.test(full)) {
        return base === 'docs' ? whole : `[${words}](./${full.slice('docs/'.length)})`;
      }
      return repositoryUrl === '' ? words : `[${words}](${repositoryUrl}/${full})`;
    },
  );
  // The architecture's picture and the like lie beside the page. Braces are no templates here.
  writeFileSync(join(folder, path), changed.replaceAll('{{', '&#123;&#123;'));
}

function siteConfig(readme: string): object {
  const list = readme.slice(readme.indexOf('## Documentation\n'));
  const sidebar = [...list.matchAll(/^- \*\*(.+?)\*\*: ([\s\S]*?)(?=\n- |\n\n)/gm)].map(
    ([, text, links = '']) => ({
      text,
      items: [...links.matchAll(/\[([^\]]+)\]\(docs\/([\w-]+)\.md/g)].map(([, words = '', page]) => ({
        text: words.charAt(0).toUpperCase() + words.slice(1),
        link: `/${page}`,
      })),
    }),
  );
  const records = readdirSync(join(source, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^adr\/\d/.test(path))
    .sort()
    .map((path) => {
      const [, text = path] = /^# (.+)$/m.exec(readFileSync(join(source, 'docs', path), 'utf8')) ?? [];
      return { text, link: `/${path.replace(/\.md$/, '')}` };
    });
  return {
    title: 'Notifier',
    description: 'Error tracking, uptime and status pages for Sentry SDKs',
    cleanUrls: false,
    lastUpdated: false,
    markdown: { html: true },
    themeConfig: {
      search: { provider: 'local' },
      outline: 'deep',
      sidebar: [...sidebar, { text: 'Decisions', collapsed: true, items: records }],
    },
  };
}
