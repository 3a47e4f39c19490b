// What build servers uploaded: scripts and their maps, sixty-four of them, most before their release went
// live, one set hours after.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs, minuteMs } from '../../src/core/reading/spans.ts';
import { fileArtifacts, type UploadedFile } from '../../src/core/source-maps/uploads.ts';
import { createDice } from './dice.ts';
import type { Slug } from './issues/issue.ts';
import type { Size } from './issues/volumes.ts';
import { type ShopBuild, scriptName } from './shop/build.ts';
import type { Shipped, Step, World } from './world.ts';

/** The scripts of a release by project; the first of the shop is the one that its errors are mapped by. */
const scriptsOf: Readonly<Partial<Record<Slug, (version: string) => readonly string[]>>> = {
  'shop-web': (version) => [
    `assets/${scriptName(version)}`,
    `assets/checkout-${scriptName(`checkout ${version}`).slice(4)}`,
    // Not touched between the two: the same name and the same bytes.
    `assets/search-${scriptName(`search ${version.replace('4.17.2', '4.17.1')}`).slice(4)}`,
  ],
  'checkout-api': () => ['dist/server.js', 'dist/jobs.js'],
  'mobile-shell': () => ['www/shell.js', 'www/menu.js'],
};

/** Whose maps were forgotten, and came after the first errors. */
const late = { version: '4.17.1', byMs: 7 * hourMs };

/** One upload a release. */
export function artifactSteps(world: World, shop: ShopBuild): Step[] {
  const first = world.shipped.filter(
    ({ slug, version }, index) =>
      world.shipped.findIndex((each) => each.slug === slug && each.version === version) === index,
  );
  return first.flatMap((shipped) => {
    const names = scriptsOf[shipped.slug]?.(shipped.version) ?? [];
    if (names.length === 0) return [];
    const atMs = shipped.version === late.version ? shipped.atMs + late.byMs : shipped.atMs - 4 * minuteMs;
    return [{ atMs, take: () => upload(world, shipped, filesOf(world, shop, shipped, names)) }];
  });
}

interface BuiltFile {
  readonly name: string;
  readonly text: string;
}

/** Scripts weigh what scripts weigh because of the libraries in them; kilobytes, least and most. */
const libraryKb = [14, 96] as const;

/** Code of a library behind that of the shop, and its source behind the shop's; in the small world none. */
function libraryOf(shop: ShopBuild, stamp: string, size: Size) {
  const map = JSON.parse(shop.map) as { readonly sources: string[]; readonly sourcesContent: string[] };
  if (size === 'small') return { script: '', map };
  const text = map.sourcesContent.join('\n');
  const bytes = createDice(`library of ${stamp}`).between(...libraryKb) * 1000;
  const times = (share: number, one: string): string => one.repeat(Math.ceil((bytes * share) / one.length));
  return {
    script: `/*! preact */${times(1, shop.script.replaceAll('*/', '').replaceAll('\n', ''))}\n`,
    map: {
      ...map,
      sources: [...map.sources, 'node_modules/preact/dist/preact.module.js'],
      sourcesContent: [...map.sourcesContent, times(2.6, text)],
    },
  };
}

function filesOf(
  { size }: World,
  shop: ShopBuild,
  { slug, version }: Shipped,
  names: readonly string[],
): BuiltFile[] {
  return names.flatMap((name) => {
    const base = name.split('/').at(-1) ?? name;
    // Behind the code, so that no position moves; two releases with one name have one content.
    const stamp = slug === 'shop-web' ? base : `${slug} ${version} ${base}`;
    const packed = libraryOf(shop, stamp, size);
    const script = `${shop.script}/*! ${stamp} */\n${packed.script}//# sourceMappingURL=${base}.map\n`;
    const map = JSON.stringify({ ...packed.map, file: base, x_built_for: stamp });
    return [
      { name: `~/${name}`, text: script },
      { name: `~/${name}.map`, text: map },
    ];
  });
}

async function upload(world: World, { slug, version }: Shipped, files: readonly BuiltFile[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notifier-seed-'));
  try {
    const sent = files.map((file, index) => uploaded(join(folder, String(index)), file));
    const target = { release: version, dist: null };
    await fileArtifacts(world.deps, world.projects[slug], {
      target,
      overwrite: false,
      files: sent,
      warnings: [],
    });
    // What they map late is mapped before the clock goes on.
    await world.deps.eventMapping.settled();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function uploaded(path: string, { name, text }: BuiltFile): UploadedFile {
  return {
    name,
    type: null,
    debugId: null,
    sourceMap: null,
    isLenient: false,
    async open() {
      await writeFile(path, text);
      return { path, size: Buffer.byteLength(text) };
    },
    release: () => rm(path, { force: true }),
  };
}
