// Reads a multipart body part by part; and one of artifacts: fields into memory, files to disk, everything
// counted. No names of clients reach the disk. WordPress's own forms are read as PHP reads them
// (src/wordpress/php/multipart.ts).
import { createReadStream } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyConfig, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { badRequest, payloadTooLarge } from '../../core/errors.ts';
import { cutText } from '../../core/reading/cut-text.ts';
import { ClientAborted } from './body-life.ts';
import { encodingOf } from './encodings.ts';
import { TooManyBytes, type UploadFolder } from './upload-folder.ts';

export interface MultipartLimits {
  readonly filesMax: number;
  readonly fileBytesMax: number;
}

export interface MultipartFile {
  readonly field: string;
  /** The last part of the name that the client gave. */
  readonly filename: string;
  readonly path: string;
  readonly size: number;
}

export interface MultipartBody {
  /** The last value of each field. */
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly MultipartFile[];
}

const fieldsMax = 100;
const fieldBytesMax = 64 * 1024;
const nameBytesMax = 2_048;
const headerPairsMax = 20;

/** What becomes of the parts of a form. What it throws, or rejects with, ends the reading. */
interface PartTaker {
  readonly limits: NonNullable<BusboyConfig['limits']>;
  field(name: string, value: string, isCut: boolean): void;
  /** Takes a file; `guarded` runs what its listeners do, so that it may throw. */
  file(field: string, stream: BusboyFileStream, filename: string, guarded: Guarded): Promise<void> | void;
  /** There is more than the limits of this event allow: the refusal, or null to leave the rest out. */
  tooMany(event: LimitEvent): Error | null;
  unreadable(why: string): Error;
}

type Guarded = (act: () => void) => void;
const limitEvents = ['partsLimit', 'filesLimit', 'fieldsLimit'] as const;
type LimitEvent = (typeof limitEvents)[number];

/**
 * Reads the parts of a body, given as plain bytes, in any order. Rejects with what `taker` throws first, or
 * with its `unreadable` for a body that is no multipart or is cut off.
 */
export async function readParts(body: Readable, contentType: string, taker: PartTaker): Promise<void> {
  const parser = openParser(contentType, taker);
  const streams: BusboyFileStream[] = [];
  const reading: Promise<void>[] = [];
  let failure: Error | null = null;
  const fail = (error: Error): void => {
    failure ??= asRefusal(error, taker);
    parser.destroy(failure);
  };
  const guarded: Guarded = (act) => {
    try {
      if (failure === null) act();
    } catch (error) {
      fail(error as Error);
    }
  };
  // A file can fail after the last byte was parsed: then nobody listens to the parser any more.
  parser.on('error', () => {});
  parser.on('field', (name, value, nameCut, valueCut) =>
    guarded(() => taker.field(name, value, nameCut || valueCut)),
  );
  parser.on('file', (field, stream, filename) => {
    streams.push(stream);
    // Without a listener a form that is cut off would end the process.
    stream.on('error', () => {});
    guarded(() => {
      const taken = taker.file(field ?? '', stream, filename ?? '', guarded);
      if (taken !== undefined) reading.push(taken.catch(fail));
    });
  });
  for (const event of limitEvents) {
    parser.on(event, () => {
      const refusal = taker.tooMany(event);
      if (refusal !== null) fail(refusal);
    });
  }
  try {
    await pipeline(body, parser);
  } catch (error) {
    // Before the files are let go: their streams fail then too, and that is nobody's reason.
    failure ??= asRefusal(error as Error, taker);
    for (const stream of streams) stream.destroy();
  }
  await Promise.all(reading);
  if (failure !== null) throw failure;
}

function openParser(contentType: string, { limits, unreadable }: PartTaker): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    throw unreadable('its boundary is missing');
  }
}

/**
 * What the parser throws is the body's fault; refusals, lost clients and faults of the disk say so
 * themselves.
 */
function asRefusal(error: Error, { unreadable }: PartTaker): Error {
  const isOurs = error instanceof ClientAborted || error.name !== 'Error';
  return isOurs || (error as NodeJS.ErrnoException).code !== undefined
    ? error
    : unreadable(error.message.slice(0, 200));
}

/**
 * Reads the parts of a body, given as plain bytes; `headers` are its request's. Throws 400 for a body that is
 * no multipart, is cut off, or goes past a limit.
 */
export async function readMultipart(
  body: Readable,
  headers: IncomingHttpHeaders,
  folder: UploadFolder,
  limits: MultipartLimits,
): Promise<MultipartBody> {
  const contentType = headers['content-type'] ?? '';
  const parts = keptParts(folder, limits);
  if (encodingOf(headers['content-encoding']) === 'identity') {
    await readParts(body, contentType, parts);
    return parts;
  }
  // What is inflated goes to disk first: the parser cuts a piece into parts that share its memory, so that
  // nobody could let it go, and most of what a bomb grows to would lie about at once.
  const { path } = await folder.write(body, Number.POSITIVE_INFINITY);
  await readParts(createReadStream(path), contentType, parts);
  await folder.remove(path);
  return parts;
}

/** Keeps fields, and files in the folder in the order they began. */
function keptParts(folder: UploadFolder, limits: MultipartLimits): PartTaker & MultipartBody {
  const fields = new Map<string, string>();
  const files: MultipartFile[] = [];
  let begun = 0;
  return {
    fields,
    files,
    limits: {
      fieldNameSize: nameBytesMax,
      fieldSize: fieldBytesMax,
      fields: fieldsMax,
      // The parser cuts one byte past the limit, so that a file of exactly the limit is whole.
      fileSize: limits.fileBytesMax + 1,
      files: limits.filesMax,
      parts: limits.filesMax + fieldsMax,
      headerPairs: headerPairsMax,
    },
    field(name, value, isCut) {
      if (isCut) throw badMultipart('a field is too long');
      fields.set(name, value);
    },
    async file(field, stream, filename) {
      const index = begun;
      begun += 1;
      try {
        const written = await folder.write(stream, limits.fileBytesMax);
        files[index] = { field, filename: baseName(filename), ...written };
      } catch (error) {
        throw error instanceof TooManyBytes ? payloadTooLarge(limits.fileBytesMax) : error;
      }
    },
    tooMany: () => badMultipart(`it holds more than ${limits.filesMax} files or ${fieldsMax} fields`),
    unreadable: badMultipart,
  };
}

function baseName(filename: string): string {
  return cutText(filename.split(/[\\/]/).at(-1) ?? '', 255);
}

function badMultipart(why: string): Error {
  return badRequest('notifier_multipart_invalid', `The multipart body cannot be read: ${why}.`);
}
