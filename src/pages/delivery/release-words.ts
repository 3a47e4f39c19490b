import type { VNode } from 'preact';
import type { DeployOutcome, ListedDeploy } from '../../core/workspace/delivery/deploys.ts';
import type { ListedRelease } from '../../core/workspace/delivery/releases.ts';
import { type Content, html } from '../el.ts';
import type { Frame } from '../frame.ts';
import { icon, type Shape } from '../parts/icons.ts';
import { dash, hidden } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { percent } from '../words/numbers.ts';
import { runMarkOf } from './words.ts';

/** Crash-free share below which a release is shown in red. */
const healthyShare = 0.98;

export function crashFree(sessions: { readonly total: number; readonly crashed: number }): Content {
  const { total, crashed } = sessions;
  if (total === 0) return dash();
  const said = percent(total - crashed, total, 2);
  const isTrouble = (total - crashed) / total < healthyShare;
  return isTrouble ? html`<span class="mk down">${icon('down')}${said}</span>` : said;
}

export function testsOf(frame: Frame, run: ListedRelease['test_run']): Content {
  if (run === null) return dash();
  const word =
    run.failed > 0 ? `${run.failed} failed` : run.result === 'flaky' ? `${run.flaky} flaky` : undefined;
  return pageLink(frame, { path: `/test-runs/${run.test_run_id}` }, null, runMarkOf(run.result, word));
}

const outcomes: Readonly<Record<DeployOutcome, readonly [shape: Shape, className: string, word: string]>> = {
  done: ['passed', 'passed', 'done'],
  failed: ['failed', 'failed', 'failed'],
  running: ['pending', 'pending', 'running'],
  stopped: ['skipped', 'skipped', 'stopped'],
  back: ['back', 'back', 'rolled back to'],
  taken_back: ['failed', 'failed', 'rolled back'],
};

export function deployShape(outcome: DeployOutcome): Shape {
  return outcomes[outcome][0];
}

export function deployWord(outcome: DeployOutcome): string {
  return outcomes[outcome][2];
}

export function deployMark({ outcome }: Pick<ListedDeploy, 'outcome'>): VNode {
  const [shape, className, word] = outcomes[outcome];
  return html`<span class="mk ${className}" title=${word}>${icon(shape)}${hidden(word)}</span>`;
}

export function deployMarkWithWord(outcome: DeployOutcome, word = outcomes[outcome][2]): VNode {
  const [shape, className] = outcomes[outcome];
  return html`<span class="mk ${className}">${icon(shape)}${word}</span>`;
}
