import type { ZodType } from 'zod';
import type { Deps } from '../deps.ts';
import { type EpochMs, parseTime } from '../parsing/timestamps.ts';
import { isJsonObject, removeNul } from '../parsing/unknown-values.ts';
import type { Project } from '../store/projects.ts';

export const exportFormat = 1;

export interface ExportLine {
  /** `export` first, `end` last, in between `project`, `key`, `release`, `event` … */
  readonly type: string;
  readonly project: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** `there`: it was imported before; `left`: not taken. */
export type ImportResult = 'new' | 'there' | 'left' | 'heading';

export type LineImporter = (deps: Deps, project: Project, data: ExportLine['data']) => Promise<ImportResult>;

/** An invalid line; the message follows "Line N". */
export class InvalidLineError extends Error {}

/** @throws {InvalidLineError} */
export function parseLineData<T>(schema: ZodType<T>, data: ExportLine['data']): T {
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new InvalidLineError(`has an invalid ${issue?.path.join('.') ?? 'field'}: ${issue?.message}`);
}

export function parseLineTime(text: string): EpochMs {
  const atMs = parseTime(text);
  if (atMs === null) throw new InvalidLineError('has an invalid date');
  return atMs;
}

/** @throws {InvalidLineError} */
export function parseLine(text: string): ExportLine {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    throw new InvalidLineError('is not valid JSON');
  }
  if (!isJsonObject(read)) throw new InvalidLineError('is not an object');
  const { type, project = null, data } = read;
  if (typeof type !== 'string' || !/^[a-z_]{1,40}$/.test(type)) throw new InvalidLineError('has no type');
  if (project !== null && typeof project !== 'string') throw new InvalidLineError('has an invalid project');
  if (!isJsonObject(data)) throw new InvalidLineError('has no data');
  return { type, project, data };
}

export function removeNuls<T>(value: T): T {
  if (typeof value === 'string') return removeNul(value) as T;
  if (Array.isArray(value)) return value.map(removeNuls) as T;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [removeNul(name), removeNuls(each)]),
  ) as T;
}
