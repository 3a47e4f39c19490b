// Scripts built from sources, and their source maps (ECMA-426): lines put behind one another without their
// margins and comments, each word of them mapped. Pure.
import { hash } from 'node:crypto';
import type { Slug } from '../shared/company.ts';
import { type DemoScript, type DemoSource, scripts } from './sources.ts';

export interface Built {
  /** As a release has it: `assets/app-1f2e3d.js`. */
  readonly name: string;
  readonly script: string;
  readonly map: string;
  /** Line and column in the script, from 1, of a text of a source. */
  placeOf(text: string): { readonly lineno: number; readonly colno: number };
}

/** The scripts of a release with their maps. */
export function scriptsOf(slug: Slug, version: string): Built[] {
  return scripts.filter((script) => script.slug === slug).map((script) => builtOf(script, version));
}

/** The script of the shop in which its errors happen. */
export function appOf(version: string): Built {
  const [app] = scripts;
  if (app === undefined) throw new Error('The shop has no script.');
  return builtOf(app, version);
}

const known = new Map<string, Built>();

/** What stays the same over some releases has one name and one content in all. */
function builtOf({ name: pattern, releases, sources }: DemoScript, version: string): Built {
  const [major, minor = 0] = version.split('.').map(Number);
  const banner =
    releases === 1 ? `Harbour & Pine ${version}` : `Vendor of ${major}.${Math.floor(minor / releases)}`;
  const key = `${pattern} ${banner}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const debugId = debugIdOf(key);
  const name = pattern.replace('*', debugId.slice(0, 6));
  const { script, map } = buildScript(sources, { banner, file: name, debugId });
  const made: Built = { name, script, map, placeOf: (text) => placeIn(script, text) };
  known.set(key, made);
  return made;
}

function placeIn(script: string, text: string) {
  const lines = script.split('\n');
  const line = lines.findIndex((each) => each.includes(text));
  if (line === -1) throw new Error(`${text} is not in the built script.`);
  return { lineno: line + 1, colno: (lines[line] ?? '').indexOf(text) + 1 };
}

/** A script of some sources; `banner` tells builds of the same sources apart. */
function buildScript(
  sources: readonly DemoSource[],
  { banner, file, debugId }: { readonly banner: string; readonly file: string; readonly debugId: string },
): Pick<Built, 'script' | 'map'> {
  const head = `/*! ${banner} */`;
  const lines = sources.flatMap(({ text }, source) => linesOf(text, source));
  const mappings = mappingWriter();
  let script = '';
  for (const { text, source, line, margin } of lines) {
    for (const { index } of text.matchAll(/[\w$]+|[([{.'"`!]/g)) {
      mappings.add([script.length + index, source, line, margin + index]);
    }
    script += text;
  }
  const map = {
    version: 3,
    file,
    sources: sources.map(({ path }) => `webpack:///${path}`),
    sourcesContent: sources.map(({ text }) => text),
    names: [],
    // The banner has a line of its own.
    mappings: `;${mappings.text()}`,
    debug_id: debugId,
  };
  const end = `\n//# debugId=${debugId}\n//# sourceMappingURL=${file.split('/').at(-1)}.map\n`;
  return { script: `${head}\n${script}${end}`, map: JSON.stringify(map) };
}

/** What is left of a source: no comments, no imports, no margins. */
function linesOf(text: string, source: number) {
  return text.split('\n').flatMap((whole, line) => {
    const code = whole.trimStart();
    if (code === '' || /^\/[/*]/.test(code) || code.startsWith('import ')) return [];
    const margin = whole.length - code.length;
    const isExport = code.startsWith('export ');
    const cut = isExport ? 'export '.length : 0;
    return [{ text: `${code.slice(cut)}`, source, line, margin: margin + cut }];
  });
}

type Segment = readonly [column: number, source: number, line: number, sourceColumn: number];

function mappingWriter() {
  let before: Segment = [0, 0, 0, 0];
  const segments: string[] = [];
  return {
    add(segment: Segment): void {
      segments.push(segment.map((value, index) => variableLength(value - (before[index] ?? 0))).join(''));
      before = segment;
    },
    text: () => segments.join(','),
  };
}

const base64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** A number as source maps write it: five bits a digit, the lowest first, the sign at the end. */
function variableLength(value: number): string {
  let left = value < 0 ? (-value << 1) | 1 : value << 1;
  let text = '';
  do {
    const digit = left & 31;
    left >>>= 5;
    text += base64.charAt(left > 0 ? digit | 32 : digit);
  } while (left > 0);
  return text;
}

/** A debug id that belongs to a text, in the form of a UUID. */
function debugIdOf(text: string): string {
  const digits = hash('sha256', text);
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 3) | 8).toString(16);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
