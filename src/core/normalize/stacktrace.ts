import { mediumBag, smallBag } from '../reading/bounded-json.ts';
import { cutText } from '../reading/cut-text.ts';
import { fieldTable, type TextRule } from '../reading/field-table.ts';
import type { Fields } from '../reading/fields.ts';
import {
  absent,
  isRecord,
  type JsonRecord,
  lenientString,
  listOf,
  noText,
  withoutNul,
} from '../reading/lenient.ts';
import { readMediumMap } from './bags.ts';

/** The last frames, because the innermost is last. */
const framesMax = 250;
/** Frames that keep variables and source lines; the middle of a longer stack loses them. */
const fullFramesMax = 50;
const contextLinesMax = 20;
const sourceLineCharsMax = 1024;
const shortName: TextRule = { charsMax: 256, over: 'cut' };
const address: TextRule = { charsMax: 128, over: 'drop', lenient: true };

/** Oldest call first; undefined without frames (some SDKs send `null` or `[]`). */
export function readStacktrace(fields: Fields, name: string): JsonRecord | undefined {
  const sent = fields.sent(name);
  const frameList = listOf(sent);
  const stack = fields.recordOf(name, frameList === null ? sent : { frames: frameList });
  if (stack === undefined) return undefined;
  const frames = readFrames(stack, 'frames');
  if (frames.length === 0) return undefined;
  thinMiddle(frames);
  stack.keep('frames', frames);
  stack.rest(mediumBag);
  return stack.kept;
}

function readFrames(stack: Fields, name: string): JsonRecord[] {
  const sent = stack.sent(name);
  if (absent(sent)) return [];
  const list = listOf(sent) ?? (isRecord(sent) ? [sent] : null);
  if (list === null) {
    stack.note('invalid_data', name, sent);
    return [];
  }
  if (list.length > framesMax) stack.note('value_too_long', name);
  return stack.records(name, list.slice(-framesMax), readFrame);
}

function thinMiddle(frames: JsonRecord[]): void {
  const half = fullFramesMax / 2;
  for (const frame of frames.slice(half, -half)) {
    for (const field of ['vars', 'pre_context', 'post_context']) delete frame[field];
  }
}

function readFrame(frame: Fields): JsonRecord {
  frame.all(frameFields, smallBag);
  return frame.kept;
}

const frameFields = fieldTable<Fields>([
  [
    'function raw_function filename abs_path module package platform symbol addr_mode',
    (frame, name) => frame.text(name, shortName),
  ],
  ['instruction_addr image_addr symbol_addr', (frame, name) => frame.text(name, address)],
  ['lineno colno', (frame, name) => frame.count(name)],
  ['in_app stack_start', (frame, name) => frame.flag(name)],
  ['pre_context', (frame, name) => frame.read(name, readLinesBefore)],
  ['context_line', (frame, name) => frame.read(name, readLine)],
  ['post_context', (frame, name) => frame.read(name, readLinesAfter)],
  ['vars', (frame, name) => frame.read(name, readMediumMap)],
]);

function readLine(frame: Fields, name: string): string | undefined {
  const sent = frame.sent(name);
  if (typeof sent === 'string') return cutText(withoutNul(sent), sourceLineCharsMax);
  if (!noText(sent)) frame.note('invalid_data', name, sent);
  return undefined;
}

function readLinesBefore(frame: Fields, name: string): string[] | undefined {
  return readLines(frame, name, -contextLinesMax);
}

function readLinesAfter(frame: Fields, name: string): string[] | undefined {
  return readLines(frame, name, 0, contextLinesMax);
}

/** The lines nearest to the frame's line. */
function readLines(frame: Fields, name: string, from: number, to?: number): string[] | undefined {
  const sent = frame.sent(name);
  if (absent(sent)) return undefined;
  const lines = listOf(sent);
  if (lines === null) {
    frame.note('invalid_data', name, sent);
    return undefined;
  }
  return lines.slice(from, to).map((line) => cutText(lenientString(line) ?? '', sourceLineCharsMax));
}
