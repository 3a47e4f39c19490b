// Multipart uploads: fields in memory, files on disk. WordPress forms are parsed in src/wordpress/php/multipart.ts.
import { createReadStream } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyConfig, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { createBadRequestError, createPayloadTooLargeError } from '../../core/errors.ts';
import { cutText } from '../../core/parsing/cut-text.ts';
import { ClientAborted } from './body-state.ts';
import { parseContentEncoding } from './decoders.ts';
import { TooManyBytes, type UploadFolder } from './upload-folder.ts';

export interface MultipartLimits {
  readonly filesMax: number;
  readonly fileBytesMax: number;
}

export interface MultipartFile {
  readonly field: string;
  readonly filename: string;
  readonly path: string;
  readonly size: number;
}

export interface MultipartBody {
  readonly fields: ReadonlyMap<string, string>;
  readonly files: readonly MultipartFile[];
}

const fieldsMax = 100;
const fieldBytesMax = 64 * 1024;
const nameBytesMax = 2_048;
const headerPairsMax = 20;

/** Receives the parts; a thrown error or rejection ends the reading. */
interface PartHandler {
  readonly limits: NonNullable<BusboyConfig['limits']>;
  field(name: string, value: string, isCut: boolean): void;
  /** `guarded` runs the stream's listeners, so that they may throw. */
  file(field: string, stream: BusboyFileStream, filename: string, guarded: Guarded): Promise<void> | void;
  /** The refusal for an exceeded limit, or null to ignore further parts. */
  tooMany(event: LimitEvent): Error | null;
  unreadable(reason: string): Error;
}

type Guarded = (run: () => void) => void;
const limitEvents = ['partsLimit', 'filesLimit', 'fieldsLimit'] as const;
type LimitEvent = (typeof limitEvents)[number];

/** Rejects with the first error of `handler`, or its `unreadable` for an invalid or truncated body. */
export async function readParts(body: Readable, contentType: string, handler: PartHandler): Promise<void> {
  const parser = openParser(contentType, handler);
  const streams: BusboyFileStream[] = [];
  const reading: Promise<void>[] = [];
  let failure: Error | null = null;
  const fail = (error: Error): void => {
    failure ??= asRefusal(error, handler);
    parser.destroy(failure);
  };
  const guarded: Guarded = (run) => {
    try {
      if (failure === null) run();
    } catch (error) {
      fail(error as Error);
    }
  };
  // A file may fail after the last byte was parsed, when nobody listens any more.
  parser.on('error', () => {});
  parser.on('field', (name, value, nameCut, valueCut) =>
    guarded(() => handler.field(name, value, nameCut || valueCut)),
  );
  parser.on('file', (field, stream, filename) => {
    streams.push(stream);
    // A truncated form would end the process without a listener.
    stream.on('error', () => {});
    guarded(() => {
      const pending = handler.file(field ?? '', stream, filename ?? '', guarded);
      if (pending !== undefined) reading.push(pending.catch(fail));
    });
  });
  for (const event of limitEvents) {
    parser.on(event, () => {
      const refusal = handler.tooMany(event);
      if (refusal !== null) fail(refusal);
    });
  }
  try {
    await pipeline(body, parser);
  } catch (error) {
    // Set before the file streams are destroyed, which then fail as well.
    failure ??= asRefusal(error as Error, handler);
    for (const stream of streams) stream.destroy();
  }
  await Promise.all(reading);
  if (failure !== null) throw failure;
}

function openParser(contentType: string, { limits, unreadable }: PartHandler): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    throw unreadable('its boundary is missing');
  }
}

/** Errors of the parser are the client's fault; refusals, aborts and I/O errors are passed on. */
function asRefusal(error: Error, { unreadable }: PartHandler): Error {
  const isOurs = error instanceof ClientAborted || error.name !== 'Error';
  return isOurs || (error as NodeJS.ErrnoException).code !== undefined
    ? error
    : unreadable(error.message.slice(0, 200));
}

/** Stores a decompressed body. Throws 400 for an invalid or truncated body or an exceeded limit. */
export async function readMultipart(
  body: Readable,
  headers: IncomingHttpHeaders,
  folder: UploadFolder,
  limits: MultipartLimits,
): Promise<MultipartBody> {
  const contentType = headers['content-type'] ?? '';
  const handler = createPartStore(folder, limits);
  if (parseContentEncoding(headers['content-encoding']) === 'identity') {
    await readParts(body, contentType, handler);
    return handler;
  }
  // Decompressed data goes to disk first: the parser's slices share memory, which could not be freed early.
  const { path } = await folder.write(body, Number.POSITIVE_INFINITY);
  await readParts(createReadStream(path), contentType, handler);
  await folder.remove(path);
  return handler;
}

function createPartStore(folder: UploadFolder, limits: MultipartLimits): PartHandler & MultipartBody {
  const fields = new Map<string, string>();
  const files: MultipartFile[] = [];
  let fileCount = 0;
  return {
    fields,
    files,
    limits: {
      fieldNameSize: nameBytesMax,
      fieldSize: fieldBytesMax,
      fields: fieldsMax,
      // The parser truncates at the limit, so one byte more keeps a file of exactly the limit.
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
      const index = fileCount;
      fileCount += 1;
      try {
        const written = await folder.write(stream, limits.fileBytesMax);
        files[index] = { field, filename: baseName(filename), ...written };
      } catch (error) {
        throw error instanceof TooManyBytes ? createPayloadTooLargeError(limits.fileBytesMax) : error;
      }
    },
    tooMany: () => badMultipart(`it contains more than ${limits.filesMax} files or ${fieldsMax} fields`),
    unreadable: badMultipart,
  };
}

function baseName(filename: string): string {
  return cutText(filename.split(/[\\/]/).at(-1) ?? '', 255);
}

function badMultipart(reason: string): Error {
  return createBadRequestError('notifier_multipart_invalid', `The multipart body cannot be read: ${reason}.`);
}
