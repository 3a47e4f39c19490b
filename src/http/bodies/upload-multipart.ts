// Reads a multipart body: fields into memory, files to disk, everything counted. No names of clients reach
// the disk.
import { createReadStream } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  Busboy,
  type BusboyEvents,
  type BusboyFileStream,
  type BusboyHeaders,
  type BusboyInstance,
} from '@fastify/busboy';
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

/**
 * Reads the parts of a body, given as plain bytes, in any order; `headers` are its request's. Throws 400 for
 * a body that is no multipart, is cut off, or goes past a limit.
 */
export async function readMultipart(
  body: Readable,
  headers: IncomingHttpHeaders,
  folder: UploadFolder,
  limits: MultipartLimits,
): Promise<MultipartBody> {
  const parser = multipartParser(headers['content-type'] ?? '', limits);
  if (encodingOf(headers['content-encoding']) === 'identity') return takeApart(body, parser, folder, limits);
  // What is inflated goes to disk first: the parser cuts a piece into parts that share its memory, so that
  // nobody could let it go, and most of what a bomb grows to would lie about at once.
  const { path } = await folder.write(body, Number.POSITIVE_INFINITY);
  const plain = await takeApart(createReadStream(path), parser, folder, limits);
  await folder.remove(path);
  return plain;
}

async function takeApart(
  body: Readable,
  parser: BusboyInstance,
  folder: UploadFolder,
  limits: MultipartLimits,
): Promise<MultipartBody> {
  const parts = collectParts(parser, folder, limits);
  try {
    await pipeline(body, parser);
  } catch (error) {
    // Asked before the files are let go: their streams fail then too, and that is nobody's reason.
    const refusal = parts.refusal() ?? asRefusal(error as Error);
    await parts.abandon();
    throw refusal;
  }
  const files = await parts.files();
  const refusal = parts.refusal();
  if (refusal !== null) throw refusal;
  return { fields: parts.fields, files };
}

interface Parts {
  readonly fields: Map<string, string>;
  /** The files once all are written; call it when the parser is through. */
  files(): Promise<MultipartFile[]>;
  /** What ended the reading from our side, or null. */
  refusal(): Error | null;
  /** Lets go of files that will never end, and waits for their streams. */
  abandon(): Promise<void>;
}

function collectParts(parser: BusboyInstance, folder: UploadFolder, limits: MultipartLimits): Parts {
  const fields = new Map<string, string>();
  const streams: BusboyFileStream[] = [];
  const writing: Promise<MultipartFile | null>[] = [];
  let refusal: Error | null = null;
  const refuse = (error: Error): null => {
    refusal ??= error;
    parser.destroy(refusal);
    return null;
  };
  const onField: BusboyEvents['field'] = (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) refuse(badMultipart('a field is too long'));
    else fields.set(name, value);
  };
  const onFile: BusboyEvents['file'] = (field, stream, filename) => {
    streams.push(stream);
    writing.push(
      writeFile(field ?? '', stream, filename ?? '', folder, limits).catch((error: Error) =>
        refuse(asRefusal(error)),
      ),
    );
  };
  const onLimit = (): void => {
    refuse(badMultipart(`it holds more than ${limits.filesMax} files or ${fieldsMax} fields`));
  };
  // A file can fail after the last byte was parsed: then nobody listens to the parser any more.
  parser.on('error', () => {});
  parser.on('field', onField).on('file', onFile);
  parser.on('partsLimit', onLimit).on('filesLimit', onLimit).on('fieldsLimit', onLimit);
  return {
    fields,
    files: async () => (await Promise.all(writing)).filter((file) => file !== null),
    refusal: () => refusal,
    async abandon() {
      for (const stream of streams) stream.destroy();
      await Promise.all(writing);
    },
  };
}

async function writeFile(
  field: string,
  stream: BusboyFileStream,
  filename: string,
  folder: UploadFolder,
  limits: MultipartLimits,
): Promise<MultipartFile> {
  try {
    // The parser cuts one byte past the limit, so that a file of exactly the limit is whole.
    const written = await folder.write(stream, limits.fileBytesMax);
    return { field, filename: baseName(filename), ...written };
  } catch (error) {
    throw error instanceof TooManyBytes ? payloadTooLarge(limits.fileBytesMax) : error;
  }
}

function multipartParser(contentType: string, limits: MultipartLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType } as BusboyHeaders,
      limits: {
        fieldNameSize: nameBytesMax,
        fieldSize: fieldBytesMax,
        fields: fieldsMax,
        fileSize: limits.fileBytesMax + 1,
        files: limits.filesMax,
        parts: limits.filesMax + fieldsMax,
        headerPairs: headerPairsMax,
      },
    });
  } catch {
    throw badMultipart('its boundary is missing');
  }
}

function baseName(filename: string): string {
  return cutText(filename.split(/[\\/]/).at(-1) ?? '', 255);
}

/**
 * What the parser throws is the body's fault; refusals, lost clients and faults of the disk say so
 * themselves.
 */
function asRefusal(error: Error): Error {
  const isOurs = error instanceof ClientAborted || error.name !== 'Error';
  return isOurs || (error as NodeJS.ErrnoException).code !== undefined
    ? error
    : badMultipart(error.message.slice(0, 200));
}

function badMultipart(why: string): Error {
  return badRequest('notifier_multipart_invalid', `The multipart body cannot be read: ${why}.`);
}
