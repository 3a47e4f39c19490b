// New monitor: the type first, then its own fields, with what a check of them finds.

import type {
  MonitorTrial,
  NewMonitorFormModel,
  NewMonitorModel,
  OfferedType,
} from '../../core/page-models/monitoring/monitor-forms.ts';
import { commandName } from '../../core/parsing/command-name.ts';
import { dayMs } from '../../core/parsing/durations.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { codeBlock, nameValueList, pageHead, section } from '../components/elements.ts';
import { type FormEntry, formSummary } from '../components/form.ts';
import { statusMark } from '../components/icons.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { counted, formatDate, formatDayAndTime, formatTimeOfDay, timeElement } from '../formatters.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { monitorFieldsets, monitorForm, typeWords, usualValues } from './forms.ts';
import { shortUntrustedName } from './labels.ts';

const monitorsBreadcrumb = { name: 'Monitors', path: '/monitors' };

const offers: Readonly<Record<OfferedType, readonly [what: string, example: string]>> = {
  http: ['Request a URL; check status, text and response time.', 'https://shop.example/health'],
  tcp: ['Open a connection to a host and port.', 'db.internal:5432'],
  dns: ['Resolve a name and compare its records.', 'shop.example MX'],
  tls: ['Warn before a certificate expires.', 'shop.example:443'],
  heartbeat: ['Your service calls a URL; alert when it stops.', 'every 5 minutes'],
  cron: ['Expect a check-in for each scheduled run.', '30 2 * * 1-5'],
};

export function newMonitorPage({ types }: NewMonitorModel, context: PageContext): PageContent {
  const choices = types.map((type) => {
    const [description, example] = offers[type];
    const content = [
      el('strong', null, typeWords[type]),
      el('span', null, description),
      el('code', null, example),
    ];
    return el('li', null, pageLink(context, `/monitors/new/${type}`, null, ...content));
  });
  return {
    title: 'New monitor',
    breadcrumbs: [monitorsBreadcrumb],
    main: [
      pageHead({ title: 'New monitor' }),
      html`<p class="soft">What do you want to check?</p>`,
      el('ul', { class: 'types space' }, ...choices),
      html`<p class="legend">Many at once? <code>${commandName} monitor import</code> imports monitors of Gatus or
        Uptime Kuma.${' '}<code>monitor create</code> and <code>POST /monitors</code> create them one by one.</p>`,
    ],
  };
}

export interface FilledForm {
  readonly entry: FormEntry;
  readonly trial: MonitorTrial;
}

export function newMonitorFormPage(
  { type, projects }: NewMonitorFormModel,
  context: PageContext,
  filled: FilledForm | null = null,
): PageContent {
  const ofProjects = projects.map((each) => ({
    value: String(each.project_id),
    name: shortUntrustedName(each.name),
  }));
  const noProject = { value: '', name: type === 'cron' ? 'Choose a project' : 'No project' };
  const title = `New ${type === 'cron' || type === 'heartbeat' ? typeWords[type].toLowerCase() : typeWords[type]} monitor`;
  const onlyProject = projects.length === 1 && type === 'cron' ? { project: ofProjects[0]?.value } : {};
  return {
    title,
    breadcrumbs: [monitorsBreadcrumb, { name: 'New monitor', path: '/monitors/new' }],
    main: [
      html`<div class="top"><div class="h1line">
        <h1>${title}</h1>${pageLink(context, '/monitors/new', { class: 'small' }, 'Change type')}
      </div></div>`,
      html`<div class="cols">
        ${actionForm(
          context,
          '/monitors',
          { class: 'form', novalidate: true, id: 'new-monitor' },
          el('input', { type: 'hidden', name: 'type', value: type }),
          filled === null ? null : formSummary(monitorForm, filled.entry),
          ...monitorFieldsets(type, {
            values: filled?.entry.values ?? { ...usualValues, ...onlyProject },
            errors: filled?.entry.errors ?? {},
            fieldOptions: { project: { choices: [noProject, ...ofProjects] } },
          }),
          html`<p class="acts">
            ${submitButton('Create monitor', { class: 'btn primary', name: 'do', value: 'create' })}
            ${pageLink(context, '/monitors', { class: 'btn' }, 'Cancel')}
          </p>`,
        )}
        <div>${asideOf(type, filled?.trial ?? null, context)}</div>
      </div>`,
    ],
  };
}

function asideOf(type: OfferedType, trial: MonitorTrial, context: PageContext): Content {
  if (type === 'heartbeat') {
    return section({ id: 'try', title: 'Call the URL' }, snippet('sh', 'curl', heartbeatCall), urlLater());
  }
  const isSchedule = type === 'cron';
  const word =
    trial === null ? (isSchedule ? 'Show next runs' : 'Check now') : isSchedule ? 'Refresh' : 'Check again';
  const button = submitButton(word, { class: 'btn small', name: 'do', value: 'check', form: 'new-monitor' });
  const hint = html`<p class="hint">Nothing is saved until you create the monitor.</p>`;
  const found =
    trial === null ? null : 'check' in trial ? checkResult(trial.check, context) : nextRuns(trial.schedule);
  return [
    section(
      {
        id: 'try',
        title: isSchedule ? 'Next five runs' : 'Check now',
        aside: context.demo === undefined ? button : null,
      },
      found,
      hint,
    ),
    isSchedule ? checkInSection() : null,
  ];
}

function checkResult(
  {
    result,
    status,
    reason,
    duration_ms: ms,
    certificate_ends_at: ends,
    answer,
  }: Extract<NonNullable<MonitorTrial>, { check: unknown }>['check'],
  { nowMs }: PageContext,
): Content {
  const days = ends === null ? null : Math.floor((Date.parse(ends) - nowMs) / dayMs);
  return [
    nameValueList([
      ['Result', statusMark(result)],
      ['Reason', reason],
      ['Status', status],
      ['Time', ms === null ? null : `${ms} ms`],
      ['Certificate', days === null ? null : days < 0 ? 'expired' : `valid for ${counted(days, 'day')}`],
    ]),
    answer === '' ? null : codeBlock('Start of the answer', answer, 'snip answerbody'),
  ];
}

type ScheduleTrial = Extract<NonNullable<MonitorTrial>, { schedule: unknown }>['schedule'];

function nextRuns(found: ScheduleTrial): Content {
  const {
    words: scheduleText,
    runs,
    missed_at: missed,
    max_runtime: runtime,
    timezone,
    change,
    offset_minutes: offset,
  } = found;
  const rows = runs.map((at) => {
    const atMs = Date.parse(at);
    return html`<li>${timeElement(at, localTime(atMs, found), false)}<span>${formatTimeOfDay(atMs)} UTC</span></li>`;
  });
  const local = localTime(Date.parse(missed), found);
  const until =
    change === null
      ? ''
      : ` until ${formatDate(Date.parse(change.at))}, then ${utcOffset(change.offset_minutes)}`;
  return [
    scheduleText === null ? null : html`<p class="says"><b>${scheduleText}</b></p>`,
    el('ol', { class: 'runs5' }, ...rows),
    html`<p class="hint">${timezone}: ${utcOffset(offset)}${until}.</p>`,
    html`<p class="says">
      Missed when no check-in arrives by <b>${local}</b>. Timed out when a run is still in progress after
      <b> ${counted(runtime, 'minute')}</b>.
    </p>`,
  ];
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function localTime(atMs: number, { change, offset_minutes: offset }: ScheduleTrial): string {
  const isLater = change !== null && atMs >= Date.parse(change.at);
  const localMs = atMs + (isLater ? change.offset_minutes : offset) * 60_000;
  return `${weekdays[new Date(localMs).getUTCDay()]} ${formatDayAndTime(localMs)}`;
}

/** `UTC+01:00`. */
function utcOffset(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');
  return minutes === 0 ? 'UTC' : `UTC${minutes < 0 ? '−' : '+'}${two(size / 60)}:${two(size % 60)}`;
}

const heartbeatCall = 'curl -fsS -m 10 "$URL"';
const checkIns: ReadonlyArray<readonly [id: string, title: string, text: string]> = [
  ['curl', 'curl', 'curl "$URL?status=in_progress"\n./settle.sh && s=ok || s=error\ncurl "$URL?status=$s"'],
  [
    'node',
    'Node.js',
    `const checkIn = (status) => fetch(\`\${process.env.URL}?status=\${status}\`);
await checkIn('in_progress');
await settle().then(() => checkIn('ok'), () => checkIn('error'));`,
  ],
  [
    'python',
    'Python',
    `from urllib.request import urlopen
check_in = lambda status: urlopen(f"{URL}?status={status}", timeout=10)
check_in("in_progress")
try: settle(); check_in("ok")
except Exception: check_in("error"); raise`,
  ],
  [
    'php',
    'PHP',
    `$checkIn = fn ($status) => file_get_contents("$url?status=$status");
$checkIn('in_progress');
try { settle(); $checkIn('ok'); }
catch (Throwable $e) { $checkIn('error'); throw $e; }`,
  ],
];

function checkInSection(): VNode {
  const all = checkIns.map(([id, title, text], at) =>
    el('details', { open: at === 0 }, el('summary', null, title), snippet(id, title, text)),
  );
  return section({ id: 'ci', title: 'Check in from your job' }, ...all, urlLater());
}

function snippet(id: string, title: string, text: string): VNode {
  return codeBlock(`${title} commands`, text, 'snip', `ci-${id}`);
}

function urlLater(): VNode {
  return html`<p class="hint">The URL is shown after you create the monitor. Sentry SDK check-ins work too.</p>`;
}
