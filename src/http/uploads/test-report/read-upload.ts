// Reads a test report piece by piece: decompression, form, charset, format. Runs in workers too.
import { createHash, type Hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { createBadRequestError, createPayloadTooLargeError, RestError } from '../../../core/errors.ts';
import { cutText } from '../../../core/parsing/cut-text.ts';
import type { ParsedUpload, RunFields } from '../../../core/ports/test-report-reader.ts';
import type { ProjectScrubSettings } from '../../../core/store/projects.ts';
import { createCaseScrubber } from '../../../core/test-runs/reports/cases/normalize.ts';
import { decodeText } from '../../../core/test-runs/reports/decode-text.ts';
import {
  type DocumentKind,
  isUnreadable,
  type UploadedDocument,
} from '../../../core/test-runs/reports/documents.ts';
import { createUploadReader, type UploadReader } from '../../../core/test-runs/reports/read-upload.ts';
import { createInflater, type Encoding, invalidEncoding } from '../../bodies/decoders.ts';
import { freeBuffer } from '../../bodies/free-buffer.ts';
import { readParts } from '../../bodies/upload-multipart.ts';
import { toContextOfFields } from './form-context.ts';

export interface UploadBytes {
  readonly bytes: Uint8Array;
  readonly encoding: Encoding;
  readonly contentType: string;
  readonly inflatedBytesMax: number;
  readonly query: RunFields;
  readonly project: ProjectScrubSettings;
}

const pieceBytes = 65_536;
const formFieldsMax = 200;
const formFilesMax = 50;
const formLimits = {
  fields: formFieldsMax,
  files: formFilesMax,
  fieldNameSize: 200,
  // For reports sent as text fields; busboy truncates at 1 MiB by default.
  fieldSize: 50 * 1024 * 1024,
  parts: formFieldsMax + formFilesMax,
};

/** Throws RestError 400 for invalid content or an exceeded limit. */
export async function readUpload(upload: UploadBytes): Promise<ParsedUpload> {
  const hash = createHash('sha256');
  const reader = createUploadReader(createCaseScrubber(upload.project));
  const type = upload.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const pieces = inflatedPieces(upload);
  const fields =
    type === 'multipart/form-data' ? await readForm(pieces, upload.contentType, reader, hash) : [];
  const formFields =
    type === 'multipart/form-data'
      ? []
      : await readDocumentOrFields(pieces, type, reader, hash, upload.encoding !== 'identity');
  const context = { ...upload.query, ...toContextOfFields([...fields, ...formFields]) };
  const report = reader.end(context);
  hash.update(JSON.stringify(Object.entries(context).sort(([left], [right]) => (left < right ? -1 : 1))));
  return { report, digest: hash.digest('hex') };
}

/** One document, or urlencoded fields with a flat report. */
async function readDocumentOrFields(
  pieces: AsyncIterable<Uint8Array>,
  type: string,
  reader: UploadReader,
  hash: Hash,
  isInflated: boolean,
): Promise<Array<[string, string]>> {
  let decoding: ReturnType<typeof decodeText> | null = null;
  const form: Uint8Array[] = [];
  const kind: DocumentKind = type === 'application/xml' || type === 'text/xml' ? 'xml' : 'body';
  let isForm = type === 'application/x-www-form-urlencoded';
  for await (const piece of pieces) {
    // curl --data-binary sends a form's Content-Type with any document.
    if (isForm && form.length === 0 && !beginsWithField(piece)) isForm = false;
    hash.update(piece);
    if (isForm) {
      form.push(piece);
    } else {
      decoding ??= documentOf(reader, '', kind);
      decoding.write(piece);
      if (isInflated) freeBuffer(piece);
    }
  }
  if (isForm) {
    const text = Buffer.concat(form).toString('utf8');
    return [...new URLSearchParams(text)].slice(0, formFieldsMax);
  }
  (decoding ?? documentOf(reader, '', kind)).end();
  return [];
}

function beginsWithField(bytes: Uint8Array): boolean {
  return /^[\w.*[\]%+-]{1,200}=/.test(Buffer.from(bytes.subarray(0, 256)).toString('latin1'));
}

function documentOf(reader: UploadReader, path: string, kind: DocumentKind): ReturnType<typeof decodeText> {
  return decodingOf(reader.open(path, kind));
}

function decodingOf(document: UploadedDocument): ReturnType<typeof decodeText> {
  return decodeText((text) => document.write(text));
}

/** Invalid bytes fail this file only. */
function fileOf(reader: UploadReader, path: string): ReturnType<typeof decodeText> {
  const document = reader.open(path, 'file');
  const decoding = decodingOf(document);
  const guarded = (run: () => void): void => {
    try {
      run();
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      document.fail(error);
    }
  };
  return { write: (bytes) => guarded(() => decoding.write(bytes)), end: () => guarded(() => decoding.end()) };
}

const fileNameCharactersMax = 200;

function nameOfFile(value: unknown): string {
  const name = typeof value === 'string' ? (value.split(/[\\/]/).at(-1) ?? '') : '';
  return cutText(name.replaceAll(/\p{Cc}/gu, '').trim(), fileNameCharactersMax);
}

/** Files and the text fields `data` and `report` are documents; other fields are context. */
async function readForm(
  pieces: AsyncIterable<Uint8Array>,
  contentType: string,
  reader: UploadReader,
  hash: Hash,
): Promise<Array<[string, string]>> {
  const fields: Array<[string, string]> = [];
  const begin = documentStarter(reader, hash);
  await readParts(Readable.from(pieces), contentType, {
    limits: formLimits,
    file(_field, stream, name, guarded) {
      const decoding = begin(nameOfFile(name));
      stream.on('data', (piece: Buffer) =>
        guarded(() => {
          hash.update(piece);
          decoding.write(piece);
        }),
      );
      stream.on('end', () => guarded(() => decoding.end()));
    },
    field(name, value) {
      if ((name !== 'data' && name !== 'report') || value.trim() === '') {
        fields.push([name, value]);
        return;
      }
      const decoding = begin(name);
      hash.update(value);
      decoding.write(Buffer.from(value));
      decoding.end();
    },
    tooMany: (event) => (event === 'filesLimit' ? tooManyFiles() : null),
    unreadable: unreadableForm,
  });
  return fields;
}

/** Separates the documents in the digest. */
function documentStarter(reader: UploadReader, hash: Hash): (name: string) => ReturnType<typeof decodeText> {
  let documents = 0;
  return (name) => {
    documents += 1;
    hash.update(`\n${documents}\n`);
    return fileOf(reader, `${name === '' ? `file ${documents}` : name}: `);
  };
}

function tooManyFiles(): RestError {
  const sentence = `A form may have at most ${formFilesMax} files.`;
  return createBadRequestError('notifier_test_run_too_many_files', sentence);
}

function unreadableForm(): RestError {
  return createBadRequestError(
    'notifier_test_run_unreadable',
    'The form is incomplete or not multipart/form-data.',
  );
}

async function* inflatedPieces(upload: UploadBytes): AsyncGenerator<Uint8Array> {
  const { encoding, inflatedBytesMax } = upload;
  const bytes = Buffer.from(upload.bytes.buffer, upload.bytes.byteOffset, upload.bytes.byteLength);
  if (encoding === 'identity') {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      yield bytes.subarray(at, at + pieceBytes);
    }
    return;
  }
  const inflater = createInflater(encoding, bytes);
  inflater.end(bytes);
  let length = 0;
  try {
    // Growth is not limited: ten thousand equal failures compress a hundredfold, and only pieces are in memory.
    for await (const piece of inflater) {
      length += (piece as Buffer).length;
      if (length > inflatedBytesMax) {
        throw createPayloadTooLargeError(inflatedBytesMax);
      }
      yield piece as Buffer;
    }
  } catch (error) {
    throw error instanceof RestError ? error : invalidEncoding(encoding);
  }
}
