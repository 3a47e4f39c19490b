import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hourMs, minuteMs } from '../../core/parsing/durations.ts';
import { storeArtifacts, type UploadedArtifactFile } from '../../core/source-maps/store-artifacts.ts';
import type { DemoContext, ProductionDeploy, Step } from '../shared/context.ts';
import { buildScripts } from './built-scripts.ts';

/** Uploaded after the first errors, so that events are symbolicated again. */
const lateUpload = { version: '4.17.1', byMs: 7 * hourMs };

export function artifactSteps(demo: DemoContext): Step[] {
  const first = demo.shipped.filter(
    ({ slug, version }, index) =>
      demo.shipped.findIndex((each) => each.slug === slug && each.version === version) === index,
  );
  return first.flatMap((shipped) => {
    const files = buildScripts(shipped.slug, shipped.version).flatMap(({ name, script, map }) => [
      { name: `~/${name}`, text: script },
      { name: `~/${name}.map`, text: map },
    ]);
    if (files.length === 0) return [];
    const atMs =
      shipped.version === lateUpload.version ? shipped.atMs + lateUpload.byMs : shipped.atMs - 4 * minuteMs;
    return [{ atMs, run: () => upload(demo, shipped, files) }];
  });
}

interface BuiltFile {
  readonly name: string;
  readonly text: string;
}

async function upload(
  demo: DemoContext,
  { slug, version }: ProductionDeploy,
  files: readonly BuiltFile[],
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'notifier-seed-'));
  try {
    const sent = files.map((file, index) => uploaded(join(folder, String(index)), file));
    const target = { release: version, dist: null };
    await storeArtifacts(demo.deps, demo.projects[slug], {
      target,
      overwrite: false,
      files: sent,
      warnings: [],
    });
    await demo.deps.eventMapping.settled();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function uploaded(path: string, { name, text }: BuiltFile): UploadedArtifactFile {
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
