import { objectOrNull, type ParsedFrame, toPairs } from '../../core/page-models/issue/parse-event.ts';
import { nameValueList } from '../components/elements.ts';
import { type Content, html, type VNode } from '../el.ts';
import { counted, replaceInvisible, untrustedText } from '../formatters.ts';
import { type RenderBudget, renderLibraryFrames, takeCharacters, takeFitting } from './render-budget.ts';
import { memberList, valueCode } from './values.ts';

const libraryFolders =
  /(?:^|[/\\])(?:node_modules|vendor|site-packages|dist-packages|plugins|gems)[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/;
const packagesNamed = 3;

/** Innermost first. `isWhole`: library frames are not folded into one line. */
export function frameList(
  frames: readonly ParsedFrame[],
  budget: RenderBudget,
  { opened, isWhole }: { readonly opened: 'topmost' | 'none'; readonly isWhole: boolean },
): Content {
  if (frames.length === 0) return null;
  const isOwn = ownFrameTest(frames);
  const shown = frames.slice(0, budget.frames);
  budget.frames -= shown.length;
  if (shown.length < frames.length) budget.isShort = true;
  const topmost = opened === 'topmost' ? shown.find(isOwn) : undefined;
  const items = runsOf(shown, isOwn).map(({ isOwnCode, run }) =>
    isOwnCode || isWhole
      ? run.map((frame) => frameItem(frame, frame === topmost, budget))
      : [libraryRun(run, budget)],
  );
  const hiddenCount = frames.length - shown.length;
  return [
    html`<ol class="frames" aria-label="Frames, most recent call first">${items.flat()}</ol>`,
    hiddenCount === 0 ? null : html`<p class="hint">${counted(hiddenCount, 'outer frame')} not shown.</p>`,
  ];
}

/** Frames with `in_app: true`; if there are none, frames without in_app; otherwise all. */
function ownFrameTest(frames: readonly ParsedFrame[]): (frame: ParsedFrame) => boolean {
  if (frames.some(({ inApp }) => inApp === true)) return ({ inApp }) => inApp === true;
  if (frames.some(({ inApp }) => inApp === null)) return ({ inApp }) => inApp === null;
  return () => true;
}

function runsOf(
  frames: readonly ParsedFrame[],
  isOwn: (frame: ParsedFrame) => boolean,
): Array<{ isOwnCode: boolean; run: ParsedFrame[] }> {
  const runs: Array<{ isOwnCode: boolean; run: ParsedFrame[] }> = [];
  for (const frame of frames) {
    const isOwnCode = isOwn(frame);
    const last = runs.at(-1);
    if (last?.isOwnCode === isOwnCode) {
      last.run.push(frame);
    } else {
      runs.push({ isOwnCode, run: [frame] });
    }
  }
  return runs;
}

function frameItem(frame: ParsedFrame, isOpen: boolean, budget: RenderBudget): VNode {
  const lines = [...frame.before, frame.source ?? '', ...frame.after];
  const hasSource =
    frame.source !== null &&
    takeCharacters(
      budget,
      lines.reduce((sum, line) => sum + line.length, 0),
    );
  const vars = Object.entries(frame.vars ?? {});
  const shownVars = takeFitting(vars, budget, ([name]) => name.length + 1);
  const rest = takeFitting(frame.rest, budget, ([name]) => name.length);
  if (!hasSource && shownVars.length === 0 && rest.length === 0) {
    return html`<li class="bare"><p>${named(frame)}</p></li>`;
  }
  return html`<li>
    <details open=${isOpen}>
      <summary>${named(frame)}</summary>${hasSource ? sourceOf(frame) : null}
      ${shownVars.length === 0 ? null : memberList(shownVars, budget)}
      ${restPart(rest, budget, hasSource || shownVars.length > 0)}
    </details>
  </li>`;
}

const restNames: ReadonlyMap<string, string> = new Map([
  ['abs_path', 'Path'],
  ['module', 'Module'],
  ['package', 'Package'],
  ['raw_function', 'As sent'],
  ['symbol', 'Symbol'],
  ['instruction_addr', 'Instruction'],
  ['symbol_addr', 'Symbol address'],
  ['image_addr', 'Image address'],
  ['addr_mode', 'Address mode'],
  ['platform', 'Platform'],
  ['sourcemap', 'Source map'],
  ['named', 'Name source'],
]);

function restPart(rest: ParsedFrame['rest'], budget: RenderBudget, isFolded: boolean): VNode | null {
  if (rest.length === 0) return null;
  // Members of `data` from symbolication are listed with the others.
  const all = rest.flatMap(([name, each]) =>
    name === 'data' && objectOrNull(each) !== null ? toPairs(each) : [[name, each] as const],
  );
  const rows = nameValueList(all.map((each) => restRow(each, budget)));
  return isFolded ? html`<details class="small"><summary>Frame details</summary>${rows}</details>` : rows;
}

function restRow(
  [name, sent]: ParsedFrame['rest'][number],
  budget: RenderBudget,
): readonly [Content, Content] {
  return [restNames.get(name) ?? untrustedText(name), valueCode(sent, budget)];
}

function named(frame: ParsedFrame): Content[] {
  const position = [frame.line, frame.column].filter((part) => part !== null).join(':');
  const name = frame.function === '' ? '(anonymous)' : frame.function;
  return [
    html`<span class="fn">${untrustedText(name)}</span>`,
    ' ',
    html`<span class="where">
      ${untrustedText(frame.file === '' ? '(no file)' : frame.file)}
      ${position === '' ? null : html`<span class="dim">:${position}</span>`}
    </span>`,
  ];
}

function libraryRun(run: readonly ParsedFrame[], budget: RenderBudget): VNode {
  const items = renderLibraryFrames(budget, (part) => run.map((frame) => frameItem(frame, false, part)));
  return html`<li class="lib"><details>${summaryOf(run)}<ol>${items}</ol></details></li>`;
}

/** `5 frames in preact and scheduler`; `5 library frames` if no package is known. */
function summaryOf(run: readonly ParsedFrame[]): VNode {
  const packages = [...new Set(run.map(packageOf).filter((name) => name !== ''))];
  const names = packages.slice(0, packagesNamed);
  if (names.length === 0) return html`<summary>${counted(run.length, 'library frame')}</summary>`;
  const more = packages.length - names.length;
  const words = more > 0 ? [...names, `${more} more`] : names;
  const list = words.length === 1 ? words : [words.slice(0, -1).join(', '), words.at(-1)];
  return html`<summary>${counted(run.length, 'frame')} in ${untrustedText(list.join(' and '))}</summary>`;
}

function packageOf(frame: ParsedFrame): string {
  const folder = libraryFolders.exec(frame.file)?.[1];
  return folder ?? (frame.package.includes('/') ? (frame.package.split('/').at(-1) ?? '') : frame.package);
}

function sourceOf(frame: ParsedFrame): VNode {
  const first = (frame.line ?? 0) - frame.before.length;
  const number = (at: number): number | null => (frame.line === null ? null : first + at);
  const lines = [...frame.before, frame.source ?? '', ...frame.after];
  const about = frame.file === '' ? 'Source' : `Source of ${replaceInvisible(frame.file)}`;
  const label = frame.line === null ? about : `${about} around line ${frame.line}`;
  return html`<pre class="src" tabindex="0" role="group" aria-label=${label}>
    <code>
      ${lines.map((line, at) => {
        const isHit = at === frame.before.length;
        const text = isHit ? markedLine(line, frame.column) : [replaceInvisible(line)];
        return html`<span class=${isHit ? 'l hit' : 'l'} data-n=${number(at)}>${text}${'\n'}</span>`;
      })}
    </code>
  </pre>`;
}

/** Marks the word or character at a 1-based column. */
function markedLine(line: string, column: number | null): Content[] {
  const at = (column ?? 0) - 1;
  const rest = at < 0 ? '' : line.slice(at);
  const word = /^(?:[\p{L}\p{N}_$]+|\S)/u.exec(rest)?.[0];
  if (word === undefined) return [replaceInvisible(line)];
  return [
    replaceInvisible(line.slice(0, at)),
    html`<mark>${replaceInvisible(word)}</mark>`,
    replaceInvisible(rest.slice(word.length)),
  ];
}
