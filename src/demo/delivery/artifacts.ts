// 64 scripts and source maps uploaded by CI. One set is uploaded hours after its release.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs, minuteMs } from '../../core/reading/spans.ts';
import { fileArtifacts, type UploadedFile } from '../../core/source-maps/uploads.ts';
import type { Shipped, Step, World } from '../shared/step.ts';
import { scriptsOf } from './built.ts';

/** Uploaded after the first errors, so that events are symbolicated again. */
const late = { version: '4.17.1', byMs: 7 * hourMs };

export function artifactSteps(world: World): Step[] {
  const first = world.shipped.filter(
    ({ slug, version }, index) =>
      world.shipped.findIndex((each) => each.slug === slug && each.version === version) === index,
  );
  return first.flatMap((shipped) => {
    const files = scriptsOf(shipped.slug, shipped.version).flatMap(({ name, script, map }) => [
      { name: `~/${name}`, text: script },
      { name: `~/${name}.map`, text: map },
    ]);
    if (files.length === 0) return [];
    const atMs = shipped.version === late.version ? shipped.atMs + late.byMs : shipped.atMs - 4 * minuteMs;
    return [{ atMs, take: () => upload(world, shipped, files) }];
  });
}

interface BuiltFile {
  readonly name: string;
  readonly text: string;
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
