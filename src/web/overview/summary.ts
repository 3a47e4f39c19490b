import type {
  OverviewModel,
  OverviewRange,
  OverviewRelease,
} from '../../core/page-models/overview/overview.ts';
import { type Content, html, pageLink } from '../el.ts';
import { count, counted } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';
import { hasUptime, outageSentence } from './uptime.ts';

export const rangeNames: Readonly<Record<OverviewRange, string>> = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
};

export function overviewSummary(model: OverviewModel, context: PageContext): Content {
  const { watched: monitoring } = model;
  const broken = hasUptime(monitoring) ? outageSentence(monitoring, context) : null;
  const sentences = [broken, issues(model, context), release(model, context), tests(model, context)];
  const shown = sentences.filter((sentence) => sentence !== null);
  return html`<p class="bulletin">
    ${shown.flatMap((sentence, at) => (at === 0 ? sentence : [' ', sentence]))}
  </p>`;
}

function issues(
  { issues: { open, new: fresh, regressed, all }, range, events }: OverviewModel,
  context: PageContext,
): Content {
  const within = `in ${rangeNames[range]}`;
  const to = (query: { readonly state: string; readonly sort?: string }, text: string): Content =>
    pageLink(context, { path: '/issues', query: { ...query, range } }, null, text);
  if (open === 0) {
    const receivedText = events.total === 0 ? 'no events' : `${counted(events.total, 'event')} came`;
    return `No unresolved issues; ${receivedText} ${within}.`;
  }
  const some = open === all ? `All ${count(all)}` : `${count(open)} of ${count(all)}`;
  const opened: Content = all === 1 ? 'The only issue is unresolved' : `${some} issues are unresolved`;
  const changes: Content[] = [];
  // The substatus `new` is different: its duration does not depend on the range.
  const newest = { state: 'open', sort: 'first_seen' };
  if (fresh > 0) changes.push(to(newest, `${count(fresh)} ${fresh === 1 ? 'is' : 'are'} new ${within}`));
  if (regressed > 0) changes.push(to({ state: 'regressed' }, `${count(regressed)} regressed`));
  if (changes.length === 0) return [opened, `; nothing new ${within}, none regressed.`];
  return [opened, ': ', changes[0], changes.length > 1 ? [', ', changes[1]] : null, '.'];
}

function release({ releases, from }: OverviewModel, context: PageContext): Content {
  const brought = releases.find(
    ({ date_created: at, new_issues: fresh, regressed_issues: back }) => at >= from && fresh + back > 0,
  );
  if (brought === undefined) return null;
  const name = pageLink(
    context,
    `/releases/${brought.release_id}`,
    null,
    html`<bdi>${releaseName(brought)}</bdi>`,
  );
  const { new_issues: fresh, regressed_issues: back } = brought;
  const texts = [
    fresh === 0 ? null : counted(fresh, 'new issue'),
    back === 0 ? null : counted(back, 'regression'),
  ].filter((part) => part !== null);
  return [name, ` brought ${texts.join(' and ')}.`];
}

/** Prefixed with the project unless the version contains its name. */
function releaseName({ project, version }: OverviewRelease): string {
  return version.includes('@') || version.startsWith(project) ? version : `${project} ${version}`;
}

function tests({ failed_suites: failed }: OverviewModel, context: PageContext): Content {
  const [first] = failed;
  if (first === undefined) return null;
  const text =
    failed.length === 1
      ? ['The latest test run of ', html`<bdi>${first.project}</bdi>`, ' failed']
      : [`The latest test runs of ${count(failed.length)} suites failed`];
  const path = failed.length === 1 ? `/test-runs/${first.test_run_id}` : '/test-runs';
  return [pageLink(context, path, null, ...text), '.'];
}
