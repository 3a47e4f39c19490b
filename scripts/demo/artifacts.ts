// What build servers uploaded: scripts and their maps, sixty-four of them, most before their release went
// live, one set hours after.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs, minuteMs } from '../../src/core/reading/spans.ts';
import { fileArtifacts, type UploadedFile } from '../../src/core/source-maps/uploads.ts';
import type { Slug } from './issues/issue.ts';
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
    return [{ atMs, take: () => upload(world, shipped, filesOf(shop, shipped, names)) }];
  });
}

interface BuiltFile {
  readonly name: string;
  readonly text: string;
}

function filesOf(shop: ShopBuild, { slug, version }: Shipped, names: readonly string[]): BuiltFile[] {
  return names.flatMap((name) => {
    const base = name.split('/').at(-1) ?? name;
    // Behind the code, so that no position moves; two releases with one name have one content.
    const stamp = slug === 'shop-web' ? base : `${slug} ${version} ${base}`;
    const script = `${shop.script}/*! ${stamp} */\n//# sourceMappingURL=${base}.map\n`;
    const map = JSON.stringify({ ...(JSON.parse(shop.map) as object), file: base, x_built_for: stamp });
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
