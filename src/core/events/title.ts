import type { ExceptionValue, NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { findSourceType } from '../grouping/minified-names.ts';
import { findErrorFrame } from '../grouping/select-frames.ts';
import { buildExceptionTree, findMainException } from '../grouping/stacks/exception-tree.ts';
import { cutText } from '../parsing/cut-text.ts';
import { parseErrorException, parsePhpMessage } from '../wordpress-components/php-messages.ts';
import { formatComponent, type SuspectComponent } from '../wordpress-components/suspect-component.ts';

const titleCharsMax = 256;
const culpritCharsMax = 200;
const groupCharsMax = 80;

/** `Type: first line of the message`, at most 256 characters; PHP and WordPress errors without markup and paths. An
 * exception group is named after its first member, with its type and the number of others. */
export function buildTitle(event: NormalizedEvent): string {
  const exceptions = event.exception?.values ?? [];
  const found = findMainException(exceptions);
  const main = exceptions[found?.index ?? -1];
  const group = exceptions[found?.groupIndex ?? -1];
  if (group === undefined || found === null || found.others === 0) return nameOf(main, event, titleCharsMax);
  const type = cutText(lineOf(group.type), groupCharsMax);
  const suffix = ` (${type === '' ? '' : `${type}, `}and ${found.others} more)`;
  return nameOf(main, event, titleCharsMax - suffix.length) + suffix;
}

function nameOf(main: ExceptionValue | undefined, event: NormalizedEvent, charsMax: number): string {
  const site = parseErrorException(main?.type ?? '', main?.value ?? '');
  if (site !== null) return cutText(site.title, charsMax);
  const value = lineOf(main?.value);
  const type = main?.mechanism?.['synthetic'] === true && value !== '' ? '' : typeOf(main, event.platform);
  const logged = loggedTitle(event.logentry?.formatted) || loggedTitle(event.logentry?.message);
  const title = [type, value].filter((part) => part !== '').join(': ') || logged || threadTitle(event);
  return cutText(title, charsMax);
}

/** The type by its source name, because a minified one-letter name is useless. */
function typeOf(exception: ExceptionValue | undefined, platform: string): string {
  if (exception === undefined) return '';
  return lineOf(findSourceType(exception, platform) || exception.type);
}

function loggedTitle(text: string | undefined): string {
  return text === undefined ? '' : (parsePhpMessage(text)?.title ?? lineOf(text));
}

function threadTitle(event: NormalizedEvent): string {
  const thread = event.threads?.values.find((one) => one['crashed'] === true) ?? event.threads?.values[0];
  const name = describeFrame(findErrorFrame(thread?.stacktrace?.frames ?? [], event.platform));
  return name === '' ? '(no message)' : name;
}

function lineOf(text: string | undefined): string {
  const start = text?.search(/\S/) ?? -1;
  if (text === undefined || start === -1) return '';
  return (text.slice(start, start + 2 * titleCharsMax).split(/[\r\n]/, 1)[0] ?? '').trim();
}

/** Suspect plugin and location, else the transaction, else in-app function and file; at most 200 characters. */
export function buildCulprit(event: NormalizedEvent, code: SuspectComponent | null): string {
  if (code !== null) {
    return cutText(
      [formatComponent(code), code.place].filter((part) => part !== '').join(' · '),
      culpritCharsMax,
    );
  }
  if (event.transaction !== undefined) return cutText(event.transaction, culpritCharsMax);
  return cutText(describeFrame(findMainFrame(event)), culpritCharsMax);
}

function findMainFrame(event: NormalizedEvent): StackFrame | undefined {
  const stacked = findMainStacktrace(event);
  const threads = event.threads?.values ?? [];
  const thread = threads.find((one) => one['crashed'] === true) ?? threads[0];
  const frames = (stacked ?? thread?.stacktrace)?.frames ?? [];
  return findErrorFrame(frames, event.platform);
}

/** The in-app function and file, after source maps, and the transaction. */
export function locateEvent(event: NormalizedEvent) {
  const frame = findMainFrame(event);
  const known = (text: string | undefined): string | null =>
    text === undefined || text === '' || text === '?' ? null : cutText(text, culpritCharsMax);
  return {
    function: known(frame?.function),
    file: known(frame?.filename ?? frame?.module ?? frame?.abs_path),
    transaction: known(event.transaction),
  };
}

/** Of the exception in the title, else of its causes, else of the last exception that has a stack. */
export function findMainStacktrace(event: NormalizedEvent): Stacktrace | undefined {
  const exceptions = event.exception?.values ?? [];
  const tree = buildExceptionTree(exceptions);
  const main = findMainException(exceptions, tree)?.index;
  const fromMain = tree.slice(tree.findIndex(({ index }) => index === main));
  const next = fromMain.findIndex(({ relation }, at) => at > 0 && relation === 'member');
  const chain = fromMain.slice(0, next === -1 ? undefined : next).map(({ index }) => exceptions[index]);
  return [...chain, ...exceptions.toReversed()].find((one) => one?.stacktrace !== undefined)?.stacktrace;
}

function describeFrame(frame: StackFrame | undefined): string {
  if (frame === undefined) return '';
  const file = frame.module ?? frame.filename ?? frame.abs_path ?? '';
  const name = frame.function ?? '';
  if (name === '' || name === '?') return file;
  return file === '' ? name : `${name} (${file})`;
}
