import type { ZodType } from 'zod';
import { isRecord, withoutNul } from '../reading/lenient.ts';
import { type EpochMs, parseMoment } from '../reading/moments.ts';

export const exportFormat = 1;

export interface Line {
  /** `export` first, `end` last, in between `project`, `key`, `release`, `event` … */
  readonly type: string;
  readonly project: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An invalid line; the message follows "Line N". */
export class BadLine extends Error {}

/** @throws {BadLine} */
export function requestOf<T>(schema: ZodType<T>, data: Line['data']): T {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new BadLine(`has an invalid ${issue?.path.join('.') ?? 'field'}: ${issue?.message}`);
}

export function momentOf(text: string): EpochMs {
  const atMs = parseMoment(text);
  if (atMs === null) throw new BadLine('has an invalid date');
  return atMs;
}

/** @throws {BadLine} */
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

export function withoutNuls<T>(value: T): T {
  if (typeof value === 'string') return withoutNul(value) as T;
  if (Array.isArray(value)) return value.map(withoutNuls) as T;
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [withoutNul(name), withoutNuls(each)]),
  ) as T;
}
