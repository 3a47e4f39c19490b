import type { VNode } from 'preact';
import type { DeployOutcome, ListedDeploy } from '../../core/page-models/delivery/deploys.ts';
import type { ListedRelease } from '../../core/page-models/delivery/releases.ts';
import { dash, visuallyHidden } from '../components/elements.ts';
import { type IconName, icon } from '../components/icons.ts';
import { pageLink } from '../components/link.ts';
import { type Content, html } from '../el.ts';
import { percent } from '../formatters/numbers.ts';
import type { PageContext } from '../page-context.ts';
import { runMarkWithLabel } from './labels.ts';

const healthyShare = 0.98;

export function crashFree(sessions: { readonly total: number; readonly crashed: number }): Content {
  const { total, crashed } = sessions;
  if (total === 0) return dash();
  const share = percent(total - crashed, total, 2);
  const isTrouble = (total - crashed) / total < healthyShare;
  return isTrouble ? html`<span class="mk down">${icon('down')}${share}</span>` : share;
}

export function testRunLink(context: PageContext, run: ListedRelease['test_run']): Content {
  if (run === null) return dash();
  const word =
    run.failed > 0 ? `${run.failed} failed` : run.result === 'flaky' ? `${run.flaky} flaky` : undefined;
  return pageLink(
    context,
    { path: `/test-runs/${run.test_run_id}` },
    null,
    runMarkWithLabel(run.result, word),
  );
}

const outcomes: Readonly<Record<DeployOutcome, readonly [shape: IconName, className: string, word: string]>> =
  {
    done: ['passed', 'passed', 'done'],
    failed: ['failed', 'failed', 'failed'],
    running: ['pending', 'pending', 'running'],
    stopped: ['skipped', 'skipped', 'stopped'],
    back: ['back', 'back', 'rolled back to'],
    taken_back: ['failed', 'failed', 'rolled back'],
  };

export function deployIcon(outcome: DeployOutcome): IconName {
  return outcomes[outcome][0];
}

export function deployLabel(outcome: DeployOutcome): string {
  return outcomes[outcome][2];
}

export function deployMark({ outcome }: Pick<ListedDeploy, 'outcome'>): VNode {
  const [shape, className, word] = outcomes[outcome];
  return html`<span class="mk ${className}" title=${word}>${icon(shape)}${visuallyHidden(word)}</span>`;
}

export function deployMarkWithLabel(outcome: DeployOutcome, word = outcomes[outcome][2]): VNode {
  const [shape, className] = outcomes[outcome];
  return html`<span class="mk ${className}">${icon(shape)}${word}</span>`;
}
