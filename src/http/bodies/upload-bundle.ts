// Sentry's artifact bundle is a ZIP whose offsets count its 8-byte header (`SYSB`, version): opened as it is.
import { buffer } from 'node:stream/consumers';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { type BundleManifest, bundleManifest } from '../../../schemas/artifacts.ts';
import { createBadRequestError } from '../../core/errors.ts';
import { cutText, isLongerThan } from '../../core/parsing/cut-text.ts';
import { TooManyBytes, type UploadFolder } from './upload-folder.ts';

export interface BundleLimits {
  readonly entriesMax: number;
  readonly entryBytesMax: number;
  readonly bundleBytesMax: number;
  readonly ratioMax: number;
}

const manifestName = 'manifest.json';
const manifestBytesMax = 8 * 1024 * 1024;
/** Small entries may compress better without harm. */
const ratioFreeBytes = 1024 * 1024;
const symbolicLink = 0o120000;
const fileKind = 0o170000;

/** Throws 400 for an invalid archive, unsafe entries or exceeded limits. Close it when done. */
export async function openBundle(path: string, limits: BundleLimits) {
  const zip = await opened(path);
  try {
    const entries = await readCheckedEntries(zip, limits);
    const manifest = await readManifest(zip, entries);
    return {
      release: manifest?.release ?? null,
      dist: manifest?.dist ?? null,
      ...listed(zip, entries, manifest, limits),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function opened(path: string): Promise<ZipFile> {
  try {
    return await openPromise(path, {
      lazyEntries: true,
      autoClose: false,
      decodeStrings: true,
      validateEntrySizes: true,
      strictFileNames: true,
    });
  } catch (error) {
    throw unreadable(error);
  }
}

/** Checks the entries' metadata before anything is decompressed. */
async function readCheckedEntries(zip: ZipFile, limits: BundleLimits): Promise<Map<string, Entry>> {
  if (zip.entryCount > limits.entriesMax) {
    throw badBundle(`it contains more than ${limits.entriesMax} entries`);
  }
  const entries = new Map<string, Entry>();
  let bytes = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      checkEntry(entry, entries, limits);
      bytes += entry.uncompressedSize;
      if (entries.size > limits.entriesMax) {
        throw badBundle(`it contains more than ${limits.entriesMax} entries`);
      }
    }
  } catch (error) {
    throw unreadable(error);
  }
  if (bytes > limits.bundleBytesMax) {
    throw badBundle(`its contents are larger than ${limits.bundleBytesMax} bytes`);
  }
  if (bytes > ratioFreeBytes && bytes > zip.fileSize * limits.ratioMax) throw tooCompressed(limits);
  return entries;
}

function checkEntry(entry: Entry, entries: Map<string, Entry>, limits: BundleLimits): void {
  const name = entry.fileName;
  if (name.includes('\0')) throw badBundle('a name contains a NUL character');
  if (name.endsWith('/')) return;
  if (entries.has(name)) throw badBundle(`the name ${shown(name)} occurs twice`);
  if (((entry.externalFileAttributes >>> 16) & fileKind) === symbolicLink) {
    throw badBundle(`${shown(name)} is a link`);
  }
  if (entry.isEncrypted()) throw badBundle(`${shown(name)} is encrypted`);
  if (!entry.canDecodeFileData()) throw badBundle(`${shown(name)} uses an unsupported compression`);
  if (entry.uncompressedSize > limits.entryBytesMax) {
    throw badBundle(`${shown(name)} is larger than ${limits.entryBytesMax} bytes`);
  }
  const { uncompressedSize: plain, compressedSize: packed } = entry;
  if (plain > ratioFreeBytes && plain > packed * limits.ratioMax) throw tooCompressed(limits);
  entries.set(name, entry);
}

async function readManifest(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
): Promise<BundleManifest | null> {
  const entry = entries.get(manifestName);
  if (entry === undefined) return null;
  if (entry.uncompressedSize > manifestBytesMax) throw badBundle('its manifest is too large');
  let parsed: unknown;
  try {
    parsed = JSON.parse((await buffer(await zip.openReadStreamPromise(entry))).toString('utf8'));
  } catch (error) {
    throw error instanceof SyntaxError ? badBundle('its manifest is not JSON') : unreadable(error);
  }
  const manifest = bundleManifest.safeParse(parsed);
  if (!manifest.success) throw badBundle('its manifest is invalid');
  return manifest.data;
}

function listed(
  zip: ZipFile,
  entries: ReadonlyMap<string, Entry>,
  manifest: BundleManifest | null,
  limits: BundleLimits,
) {
  const listedFiles = manifest === null ? null : new Map(Object.entries(manifest.files));
  const warnings: string[] = [];
  const found = [];
  for (const path of listedFiles?.keys() ?? entries.keys()) {
    const entry = entries.get(path);
    const file = listedFiles?.get(path);
    if (entry === undefined) {
      warnings.push(`${shown(path)} is in the manifest but not in the archive`);
    } else if (path !== manifestName) {
      const headers = new Map(
        Object.entries(file?.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
      );
      found.push({
        name: file?.url ?? `~/${path}`,
        type: file?.type ?? null,
        debugId: headers.get('debug-id') ?? null,
        sourceMap: headers.get('sourcemap') ?? headers.get('x-sourcemap') ?? null,
        extract: (folder: UploadFolder) => extract(zip, entry, folder, limits),
      });
    }
  }
  return { entries: found, warnings };
}

async function extract(
  zip: ZipFile,
  entry: Entry,
  folder: UploadFolder,
  limits: BundleLimits,
): Promise<{ path: string; size: number }> {
  try {
    return await folder.write(await zip.openReadStreamPromise(entry), limits.entryBytesMax);
  } catch (error) {
    if (error instanceof TooManyBytes) throw badBundle(`${shown(entry.fileName)} is larger than declared`);
    throw unreadable(error);
  }
}

function tooCompressed(limits: BundleLimits): Error {
  return badBundle(`its contents are more than ${limits.ratioMax} times larger than it is`);
}

/** The library's message if the archive is invalid; I/O errors are passed on. */
function unreadable(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'RestError') return error;
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== undefined && !code.startsWith('Z_')) return error;
  return badBundle(error.message.slice(0, 200).replace(/[.\s]+$/, ''));
}

function badBundle(reason: string): Error {
  return createBadRequestError('notifier_bundle_invalid', `The archive cannot be read: ${reason}.`);
}

function shown(name: string): string {
  return isLongerThan(name, 200) ? `${cutText(name, 200)}…` : name;
}
