// The lines of an export: how one is written, and read again with care.
import type { ZodType } from 'zod';
import { isRecord, withoutNul } from '../reading/lenient.ts';
import { type EpochMs, parseMoment } from '../reading/moments.ts';

/** Of the file's form; another number is another form. */
export const exportFormat = 1;

export interface Line {
  /** `export` first and `end` last; between them `project`, `key`, `release`, `event` … */
  readonly type: string;
  /** The name of the project that it belongs to. */
  readonly project: string | null;
  /** As the API shows it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** A line that is none, in words. */
export class BadLine extends Error {}

/** What a line holds, by the shape of its type; @throws {BadLine}. */
export function requestOf<T>(schema: ZodType<T>, data: Line['data']): T {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new BadLine(`has an invalid ${issue?.path.join('.') ?? 'field'}: ${issue?.message}`);
}

/** A moment of a line; @throws {BadLine}. */
export function momentOf(text: string): EpochMs {
  const atMs = parseMoment(text);
  if (atMs === null) throw new BadLine('has an invalid date');
  return atMs;
}

/** Reads a line; @throws {BadLine}. */
export function readLine(text: string): Line {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new BadLine('is not valid JSON');
  }
  if (!isRecord(read)) throw new BadLine('is not an object');
  const { type, project = null, data } = read;
  if (typeof type !== 'string' || !/^[a-z_]{1,40}$/.test(type)) throw new BadLine('has no type');
  if (project !== null && typeof project !== 'string') throw new BadLine('has an invalid project');
  if (!isRecord(data)) throw new BadLine('has no data');
  return { type, project, data };
}

/** The same without what no database keeps, in texts and in names. */
export function withoutNuls<T>(value: T): T {
  if (typeof value === 'string') return withoutNul(value) as T;
  if (Array.isArray(value)) return value.map(withoutNuls) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [withoutNul(name), withoutNuls(each)]),
  ) as T;
}
