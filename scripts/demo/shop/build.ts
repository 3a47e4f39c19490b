// The shop as a build server makes it: one minified script and its source map a release, and where in the
// script a place of the source has gone. Built with esbuild from sources.ts.
import { createHash } from 'node:crypto';
import { generatedPositionFor, originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { build, type Plugin, stop } from 'esbuild';
import { shopSources } from './sources.ts';

export interface ShopBuild {
  readonly script: string;
  readonly map: string;
  /** Line and column of the script, from 1, for a text within a source. */
  placeOf(file: string, text: string): { readonly lineno: number; readonly colno: number };
}

/** Builds the shop once; what a release adds to it is `shopFiles`. */
export async function buildShop(): Promise<ShopBuild> {
  const built = await build({
    stdin: { contents: "import 'src/main.ts';", sourcefile: 'entry.ts', loader: 'ts' },
    bundle: true,
    minify: true,
    sourcemap: 'external',
    sourcesContent: true,
    outfile: 'app.js',
    format: 'iife',
    write: false,
    plugins: [fromMemory],
  }).finally(stop);
  const textOf = (ending: string): string =>
    built.outputFiles.find((file) => file.path.endsWith(ending))?.text ?? '';
  // esbuild writes the namespace before each source.
  const [script, map] = [textOf('app.js'), textOf('app.js.map').replaceAll('"shop:', '"')];
  return { script, map, placeOf: placesIn(map) };
}

/** Sources come from sources.ts; nothing is read from disk. */
const fromMemory: Plugin = {
  name: 'from-memory',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, importer }) => {
      const base = new URL(
        importer === '' || !importer.startsWith('src/') ? 'src/entry.ts' : importer,
        'file:///',
      );
      const file = path.startsWith('src/') ? path : new URL(path, base).pathname.slice(1);
      return { path: file.endsWith('.ts') ? file : `${file}.ts`, namespace: 'shop' };
    });
    onLoad({ filter: /.*/, namespace: 'shop' }, ({ path }) => ({
      contents: shopSources[path] ?? '',
      loader: 'ts',
    }));
  },
};

function placesIn(map: string): ShopBuild['placeOf'] {
  const trace = new TraceMap(map);
  return (file, text) => {
    const before = (shopSources[file] ?? '').split(text, 1)[0] ?? '';
    const lines = before.split('\n');
    const source = trace.sources.find((each) => each?.endsWith(file)) ?? file;
    const place = { source, line: lines.length, column: lines.at(-1)?.length ?? 0 };
    const found = generatedPositionFor(trace, place);
    if (found.line === null) throw new Error(`${text} of ${file} is not in the built script.`);
    const back = originalPositionFor(trace, found);
    if (back.line !== place.line) throw new Error(`${text} of ${file} leads to line ${back.line}.`);
    return { lineno: found.line, colno: found.column + 1 };
  };
}

/** Name of the shop's script in a release, as bundlers name them. */
export function scriptName(version: string): string {
  return `app-${createHash('sha256').update(version).digest('hex').slice(0, 6)}.js`;
}
