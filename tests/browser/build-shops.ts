// Builds the shop of tests/fixtures/builds: `node build-shops.ts FOLDER esbuild-1 vite-2 …`. A program of its
// own, because bundlers do not run among a test's modules.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build as esbuild } from 'esbuild';
import { type Plugin, rollup } from 'rollup';
import { type MinifyOptions, minify } from 'terser';
import { type BuildOptions, build as viteBuild } from 'vite';
import webpack, { type Configuration } from 'webpack';

/** A source and where its scripts and maps go: `main.js`, or `main-HASH.js`, and chunks. */
interface Places {
  readonly source: string;
  readonly out: string;
}
type Build = (places: Places) => Promise<unknown>;

const shop = resolve(import.meta.dirname, '../fixtures/builds/shop');
const names = { entry: 'assets/main-[hash].js', chunk: 'assets/[name]-[hash].js' };

/** As most shops would build, and as somebody might who has changed the settings since. */
const builds: Readonly<Record<string, readonly Build[]>> = {
  esbuild: [
    (places) => withEsbuild(places, { target: 'es2022' }),
    (places) => withEsbuild(places, { target: 'es2018' }),
    (places) => withEsbuild(places, { target: 'esnext', keepNames: true }),
  ],
  webpack: [
    (places) => withWebpack(places, {}),
    (places) =>
      withWebpack(places, {
        moduleIds: 'natural',
        chunkIds: 'natural',
        concatenateModules: false,
        minimize: { javascript: { compress: { passes: 1 }, mangle: { reserved: ['t', 'e', 'n'] } } },
      }),
    (places) =>
      withWebpack(places, {
        minimize: { javascript: { compress: { inline: false, reduce_funcs: false }, keep_fnames: true } },
      }),
  ],
  rollup: [
    (places) => withRollup(places, { module: true }),
    (places) =>
      withRollup(places, {
        toplevel: true,
        compress: { sequences: false, inline: 1, passes: 3 },
        mangle: { reserved: ['t', 'e', 'n'] },
      }),
    (places) =>
      withRollup(places, { module: true, compress: { inline: 0 }, keep_classnames: true, keep_fnames: true }),
  ],
  vite: [
    (places) => withVite(places, {}),
    (places) => withVite(places, { minify: 'terser', target: 'es2020' }),
    (places) => withVite(places, { minify: 'esbuild', target: 'esnext' }),
  ],
};

function withEsbuild({ source, out }: Places, settings: object) {
  return esbuild({
    entryPoints: { main: join(source, 'main.js') },
    outdir: out,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    sourcemap: true,
    entryNames: 'assets/[name]-[hash]',
    chunkNames: 'assets/[name]-[hash]',
    ...settings,
  });
}

async function withWebpack({ source, out }: Places, optimization: Configuration['optimization']) {
  await new Promise<void>((done, failed) => {
    const compiler = webpack({
      mode: 'production',
      context: source,
      entry: './main.js',
      devtool: 'source-map',
      output: {
        path: out,
        filename: 'assets/[name]-[contenthash].js',
        chunkFilename: 'assets/[id]-[contenthash].js',
        publicPath: 'auto',
      },
      optimization: { ...optimization },
    });
    compiler.run((error, stats) => {
      if (error !== null) failed(error);
      else if (stats?.hasErrors()) failed(new Error(stats.toString()));
      else compiler.close(() => done());
    });
  });
}

/** Rollup looks for no packages and minifies nothing: two plugins that do. */
async function withRollup({ source, out }: Places, settings: MinifyOptions) {
  const packages: Plugin = {
    name: 'packages',
    resolveId: (id) => (id.startsWith('@') ? join(source, 'node_modules', id, 'index.js') : null),
  };
  const minifier: Plugin = {
    name: 'minifier',
    async renderChunk(code) {
      const { code: small = '', map } = await minify(code, { ...settings, sourceMap: true });
      return { code: small, map: map as string };
    },
  };
  const bundle = await rollup({ input: join(source, 'main.js'), plugins: [packages, minifier] });
  await bundle.write({
    dir: out,
    format: 'es',
    sourcemap: true,
    entryFileNames: names.entry,
    chunkFileNames: names.chunk,
  });
  await bundle.close();
}

async function withVite({ source, out }: Places, settings: BuildOptions) {
  writeFileSync(join(source, 'index.html'), '<script type="module" src="/main.js"></script>');
  await viteBuild({
    root: source,
    configFile: false,
    logLevel: 'error',
    build: { outDir: out, sourcemap: true, ...settings },
  });
}

/** The shop's source; that of a later release has another module and lines above what there was. */
async function prepareSource(source: string, isLater: boolean): Promise<void> {
  cpSync(shop, source, { recursive: true });
  const sentry = join(source, 'node_modules/@sentry/browser');
  mkdirSync(sentry, { recursive: true });
  writeFileSync(
    join(sentry, 'index.js'),
    'export const { init, flush, captureException } = window.Sentry;\n',
  );
  writeFileSync(join(sentry, 'package.json'), '{"type":"module","main":"index.js"}');
  writeFileSync(join(source, 'package.json'), '{"type":"module","name":"shop"}');
  if (!isLater) return;
  const above = '// What a release brings:\n// other lines,\n// and other positions.\n';
  for (const file of ['account.js', 'cart.js', 'lists.js', 'pages/gallery.js']) {
    writeFileSync(join(source, file), above + readFileSync(join(source, file), 'utf8'));
  }
  const main = readFileSync(join(source, 'main.js'), 'utf8');
  const added = "import { Snowman } from './seasonal.js';\n";
  writeFileSync(
    join(source, 'main.js'),
    `${added}${main}\nwindow.snowman = new Snowman([{ x: 1, y: 2 }]);\n`,
  );
}

const [to = 'builds', ...wanted] = process.argv.slice(2);
const folder = resolve(to);
for (const name of wanted) {
  const [bundler = '', number = ''] = name.split('-');
  const build = builds[bundler]?.[Number(number) - 1];
  if (build === undefined) throw new Error(`There is no build ${name}`);
  const source = join(folder, 'src');
  rmSync(source, { recursive: true, force: true });
  await prepareSource(source, number !== '1');
  await build({ source, out: join(folder, name) });
}
