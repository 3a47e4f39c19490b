import type { ExceptionValue, NormalizedEvent, StackFrame, Stacktrace } from '../../../schemas/event.ts';
import { faultFrame } from '../grouping/frames.ts';
import { sourceType } from '../grouping/minified.ts';
import { exceptionTree, mainException } from '../grouping/stacks/exception-tree.ts';
import { cutText } from '../reading/cut-text.ts';
import { codeName, type FaultyCode } from '../site-code/faulty.ts';
import { readErrorException, readSiteText } from '../site-code/site-texts.ts';

const titleCharsMax = 256;
const culpritCharsMax = 200;
const groupCharsMax = 80;

/**
 * `Type: first line of the message`, at most 256 characters; PHP and WordPress errors without markup and
 * paths. An exception group is named after its first member, with its type and the number of others.
 */
export function titleOf(event: NormalizedEvent): string {
  const exceptions = event.exception?.values ?? [];
  const found = mainException(exceptions);
  const main = exceptions[found?.index ?? -1];
  const group = exceptions[found?.groupIndex ?? -1];
  if (group === undefined || found === null || found.others === 0) return nameOf(main, event, titleCharsMax);
  const type = cutText(lineOf(group.type), groupCharsMax);
  const behind = ` (${type === '' ? '' : `${type}, `}and ${found.others} more)`;
  return nameOf(main, event, titleCharsMax - behind.length) + behind;
}

function nameOf(main: ExceptionValue | undefined, event: NormalizedEvent, charsMax: number): string {
  const site = readErrorException(main?.type ?? '', main?.value ?? '');
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
  return lineOf(sourceType(exception, platform) || exception.type);
}

function loggedTitle(text: string | undefined): string {
  return text === undefined ? '' : (readSiteText(text)?.title ?? lineOf(text));
}

function threadTitle(event: NormalizedEvent): string {
  const thread = event.threads?.values.find((one) => one['crashed'] === true) ?? event.threads?.values[0];
  const name = placeOf(faultFrame(thread?.stacktrace?.frames ?? [], event.platform));
  return name === '' ? '(no message)' : name;
}

function lineOf(text: string | undefined): string {
  const start = text?.search(/\S/) ?? -1;
  if (text === undefined || start === -1) return '';
  return (text.slice(start, start + 2 * titleCharsMax).split(/[\r\n]/, 1)[0] ?? '').trim();
}

/**
 * Suspect plugin (`woocommerce@9.1.2 · WC_Order::save in includes/class-wc-order.php`), else the transaction,
 * else the in-app function and file; at most 200 characters.
 */
export function culpritOf(event: NormalizedEvent, code: FaultyCode | null): string {
  if (code !== null) {
    return cutText([codeName(code), code.place].filter((part) => part !== '').join(' · '), culpritCharsMax);
  }
  if (event.transaction !== undefined) return cutText(event.transaction, culpritCharsMax);
  const stacked = stackAtFault(event);
  const threads = event.threads?.values ?? [];
  const thread = threads.find((one) => one['crashed'] === true) ?? threads[0];
  const frames = (stacked ?? thread?.stacktrace)?.frames ?? [];
  return cutText(placeOf(faultFrame(frames, event.platform)), culpritCharsMax);
}

/** Of the exception in the title, else of its causes, else of the last exception that has a stack. */
export function stackAtFault(event: NormalizedEvent): Stacktrace | undefined {
  const exceptions = event.exception?.values ?? [];
  const tree = exceptionTree(exceptions);
  const main = mainException(exceptions, tree)?.index;
  const fromMain = tree.slice(tree.findIndex(({ index }) => index === main));
  const next = fromMain.findIndex(({ relation }, at) => at > 0 && relation === 'member');
  const chain = fromMain.slice(0, next === -1 ? undefined : next).map(({ index }) => exceptions[index]);
  return [...chain, ...exceptions.toReversed()].find((one) => one?.stacktrace !== undefined)?.stacktrace;
}

function placeOf(frame: StackFrame | undefined): string {
  if (frame === undefined) return '';
  const file = frame.module ?? frame.filename ?? frame.abs_path ?? '';
  const name = frame.function ?? '';
  if (name === '' || name === '?') return file;
  return file === '' ? name : `${name} (${file})`;
}
