import type {
  ProjectModel,
  ProjectRetentionView,
  RegroupView,
} from '../../core/page-models/projects/project.ts';
import { copyButton } from '../components/controls.ts';
import { bidiIsolated, nameValueList, plainSection } from '../components/elements.ts';
import { statusMark } from '../components/icons.ts';
import { type Content, html, pageLink, type VNode } from '../el.ts';
import { count, counted, formatBytes, fullTime } from '../formatters.ts';
import type { PageContext } from '../page-context.ts';

type RetentionNote = NonNullable<ProjectRetentionView['retention']>;

export function retentionSection({ keeping }: ProjectModel): VNode {
  const { events_stored: stored, events_days: days, replaced_artifacts_days: replaced, retention } = keeping;
  const keptFor =
    days === null
      ? 'forever'
      : `for ${counted(days, 'day')}; the first, the last, one per release and the latest 100 of each issue are kept`;
  const list = nameValueList([
    ['Stored', counted(stored, 'event')],
    ['Quota', quotaOf(keeping)],
    ['Events', keptFor],
    ['Attachments', `as long as their event, at most ${count(keeping.attachments_per_event)} of one`],
    ['Artifacts', `forever; replaced ones for ${counted(replaced, 'day')}`],
  ]);
  return plainSection('p-keep', 'Quota and retention', list, retention && heldBackNote(retention));
}

function quotaOf({ events_max: events, bytes_max: bytes }: ProjectRetentionView): string {
  const limits = [
    ...(events === null ? [] : [counted(events, 'event')]),
    ...(bytes === null ? [] : [`${formatBytes(bytes)} of events`]),
  ];
  return limits.length === 0 ? 'none' : limits.join(', ');
}

const heldBackTexts: Readonly<Record<RetentionNote['why'], string>> = {
  first: 'retention has never run on this database',
  clock: 'the system clock jumped forward',
  limits: 'a limit was lowered a lot',
};

/** Retention is held back: shows why, how many events it would remove, and how to confirm. */
export function heldBackNote({
  why: reason,
  events,
  begins_at: beginsAt,
  act: command,
}: RetentionNote): VNode {
  const when =
    beginsAt === null ? 'Waiting for confirmation: ' : ['Starts on ', fullTime(beginsAt), ', or run '];
  return html`<p class="note">
    ${statusMark('warning', `${counted(events, 'event')} would be deleted`)}: ${heldBackTexts[reason]}. ${when}
    <code>${command}</code>.
  </p>`;
}

export function processingSection(
  { project, limits, caps, regroup }: ProjectModel,
  context: PageContext,
): VNode {
  const mayManage = context.currentUser?.canManage === true;
  const ownFieldCount = project.scrub_fields.length;
  const fields = ownFieldCount === 0 ? 'on' : ['on, and ', bidiIsolated(project.scrub_fields.join(', '))];
  const a = (value: number, noun: string): string => `${counted(value, noun)} a minute`;
  const rows: Array<readonly [Content, Content]> =
    limits === null
      ? [['Limits', 'no rate limits: they are turned off on this server']]
      : [
          ['A key', a(limits.events_per_minute, 'event')],
          ['Per IP address', a(limits.events_per_address_per_minute, 'event')],
          ['Reports', `${a(limits.feedback_per_address_per_minute, 'report')} per IP address`],
        ];
  const change = pageLink(context, `/projects/${project.project_id}/change`, null, 'Edit');
  return plainSection(
    'p-l',
    'Limits and privacy',
    nameValueList([
      ...rows,
      ['New issues', `${count(caps.new_issues_per_hour)} per hour, then one overflow issue`],
      ['One event', `${formatBytes(caps.event_bytes)} at most`],
      ['Scrubbing', fields],
      ['IP addresses', project.store_ip ? 'stored, cut to /24 and /48' : 'not stored'],
      ['Feedback from apps', project.bug_reports ? 'accepted' : 'not accepted'],
      ['Grouping', html`<code>${project.grouping}</code>`],
    ]),
    regroup === null ? null : regrouping(project.grouping, regroup),
    mayManage ? html`<p class="small del">${change}</p>` : null,
  );
}

function regrouping(grouping: string, { newest, look: previewCommand, act: applyCommand }: RegroupView) {
  return [
    html`<p class="soft space">
      ${statusMark('degraded', 'An older grouping version')}: ${grouping}, while new projects use ${newest}
      . The first command shows what would change, the second applies it.
    </p>`,
    line('p-regroup-look', 'Preview', previewCommand),
    line('p-regroup', 'Apply', applyCommand),
  ];
}

function line(id: string, label: string, text: string): VNode {
  return html`<div class="line">
    <span class="dim small">${label}</span><code id=${id}>${text}</code>${copyButton(id, 'the command')}
  </div>`;
}
