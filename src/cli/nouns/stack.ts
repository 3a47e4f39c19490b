// Exceptions, threads and frames as lines for people: the place of the error first, with the source around
// it.
import type { ExceptionValue, NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { exceptionTree, relationText } from '../../core/grouping/stacks/exception-tree.ts';
import { bagLines, printable } from '../print.ts';

/** How text is made to stand out; as it is where there is no terminal. */
export interface Paint {
  bold(text: string): string;
  faint(text: string): string;
}

const framesMax = 50;
const sourcesMax = 10;
const exceptionsMax = 20;
/** Members of members are indented so far. */
const depthMax = 8;
const threadsMax = 20;

/**
 * Each exception, the one that was raised first, then the members of a group indented below it, then what
 * caused it, each with its stack.
 */
export function exceptionLines(exceptions: NormalizedEvent['exception'], paint: Paint): string[] {
  const values = exceptions?.values ?? [];
  const tree = exceptionTree(values);
  const lines = tree.slice(0, exceptionsMax).flatMap((place) => {
    const { type, value, module, mechanism, ...stacks } = values[place.index] as ExceptionValue;
    const [first = '', ...others] = (value ?? '').split('\n');
    const name = [module, type ?? 'Error'].filter((each) => each !== undefined).join('.');
    const indent = '  '.repeat(Math.min(place.depth, depthMax));
    const own = [
      paint.bold(printable(`${relationText(place)}${name}: ${first}`, 500)),
      ...others.slice(0, 20).map((line) => `  ${printable(line, 500)}`),
      ...(mechanism === undefined ? [] : [`  ${paint.faint(mechanismText(mechanism))}`]),
      ...stackLines(stacks.stacktrace, paint),
      ...(stacks.raw_stacktrace === undefined ? [] : ['  (mapped by a source map; as sent: --json)']),
    ];
    return ['', ...own.map((line) => indent + line)];
  });
  return [...lines, ...rest(tree.length - exceptionsMax, 'exception')];
}

/** Each thread with its name, and its stack where it has one. */
export function threadLines(threads: NormalizedEvent['threads'], paint: Paint): string[] {
  const all = threads?.values ?? [];
  const lines = all.slice(0, threadsMax).flatMap((thread) => {
    const { stacktrace, raw_stacktrace: _sent, id, name, crashed, current, ...others } = thread;
    const marks = [crashed === true ? 'crashed' : '', current === true ? 'current' : ''].filter(Boolean);
    const who = [id, name].filter((each) => each !== undefined && each !== null).map(String);
    const heading = `Thread ${printable(who.join(' ') || '–')}${marks.length === 0 ? '' : ` (${marks.join(', ')})`}`;
    return ['', paint.bold(heading), ...bagLines(others), ...stackLines(stacktrace, paint)];
  });
  return [...lines, ...rest(all.length - threadsMax, 'thread')];
}

/**
 * The newest frame first. Source stands by frames of the program itself, or by the first where none is marked
 * so.
 */
function stackLines(stack: Stacktrace | undefined, paint: Paint): string[] {
  const frames = [...(stack?.frames ?? [])].reverse();
  const marked = frames.some((frame) => frame.in_app === true);
  let sources = 0;
  const lines = frames.slice(0, framesMax).flatMap((frame, index) => {
    const isShown = marked ? frame.in_app === true : index === 0;
    const source = isShown && sources < sourcesMax ? sourceLines(frame, paint) : [];
    if (source.length > 0) sources += 1;
    return [frameLine(frame, paint), ...source];
  });
  return [...lines, ...rest(frames.length - framesMax, 'frame')];
}

function frameLine(frame: StackFrame, paint: Paint): string {
  const file = frame.filename ?? frame.abs_path ?? frame.module ?? frame.package ?? '?';
  const place = [file, frame.lineno, frame.colno].filter((each) => each !== undefined).join(':');
  const text = `at ${printable(frame.function ?? '(anonymous)', 120)}  ${printable(place, 200)}`;
  return frame.in_app === true ? `  ${text}  [in app]` : `  ${paint.faint(text)}`;
}

/**
 * The lines around the place, numbered, its own marked; then the values of its variables, where the kit sent
 * any.
 */
function sourceLines(frame: StackFrame, paint: Paint): string[] {
  const { pre_context: before = [], context_line: own, post_context: after = [], lineno } = frame;
  const numbered = (text: string, offset: number): string => {
    const number = lineno === undefined ? '' : String(lineno + offset);
    return `${number.padStart(6)} │ ${printable(text.replaceAll('\t', '  ').trimEnd(), 200)}`;
  };
  const source =
    own === undefined
      ? []
      : [
          ...before.map((text, index) => `    ${numbered(text, index - before.length)}`),
          paint.bold(`  > ${numbered(own, 0)}`),
          ...after.map((text, index) => `    ${numbered(text, index + 1)}`),
        ];
  return [...source, ...bagLines(frame['vars']).map((line) => `        ${line.trimStart()}`)];
}

function mechanismText(mechanism: Readonly<Record<string, unknown>>): string {
  const { type, handled } = mechanism;
  const how = handled === true ? ', handled' : handled === false ? ', not handled' : '';
  return printable(`seen by ${String(type ?? 'generic')}${how}`);
}

function rest(count: number, what: string): string[] {
  return count > 0 ? [`  … ${count} more ${what}${count === 1 ? '' : 's'}; see --json`] : [];
}
