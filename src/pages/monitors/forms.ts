import { z } from 'zod';
import { askedTypes, monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import type { MonitorSettingsModel, NewMonitorModel } from '../../core/workspace/uptime/monitor-forms.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dangerPage, formPage, shownOncePage } from '../parts/asking.ts';
import { choice, choicesOf, form, lines, needed, number, rows, text } from '../parts/form.ts';
import { isCalled, nameOf, told } from '../uptime/words.ts';

const crumb = { name: 'Monitors', path: '/monitors' };
const typeWords = {
  http: 'HTTP(S)',
  keyword: 'HTTP(S) with expected text',
  tcp: 'TCP port',
  dns: 'DNS record',
  tls: 'TLS certificate',
  heartbeat: 'Heartbeat (push)',
  cron: 'Cron job',
} as const;
const opening = { true: 'Open an incident', false: 'Do not open an incident' };
const more = 'Expected JSON values, redirects and forbidden text are set through the API.';
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const word = z.string().optional();
const sentMax = { attributes: { maxlength: 16_384 } };
const targetMax = { attributes: { maxlength: 2_000 } };

const name = needed('Name', 'Enter a name.', {
  hint: 'Shown in lists and notifications, for example Front page.',
});
const question = {
  method: choice('Method', word, {
    hint: 'HTTP(S) only.',
    choices: methods.map((value) => ({ value, name: value })),
  }),
  headers: lines('Headers', { hint: 'HTTP(S) only. One header per line, as Name: value.', ...sentMax }),
  body: lines('Body', { hint: 'Sent with POST, PUT, PATCH and DELETE.' }),
  contains: text('Expected text', { hint: 'HTTP(S) only. The response must contain exactly this text.' }),
  answers: lines('Expected records', {
    hint: 'DNS only. One record per line, for example 10 mail.shop.example. Leave empty to accept any record.',
  }),
};
const interval = number('Check every (seconds)');
const timezone = text('Time zone', { hint: 'Cron job only, for example Europe/Berlin. UTC if empty.' });
const group = text('Group');

export const newMonitorForm = form(
  {
    name,
    type: choice('Type', z.enum(askedTypes, 'Choose a type.')),
    target: text('URL, host or schedule', {
      hint: 'HTTP(S): https://shop.example/. TCP port: db.internal:5432. DNS record: shop.example MX. TLS certificate: shop.example. Cron job: its schedule, 30 2 * * * or 10 minutes. Heartbeat: leave empty; you get a URL to call.',
      ...targetMax,
    }),
    ...question,
    interval,
    timezone,
    project: choice('Project', word, {
      hint: 'Required for a cron job: its check-ins are sent with a key of this project.',
    }),
    group,
  },
  monitorRequest.shape,
);

export const monitorForm = form(
  {
    name,
    target: text('New URL, host and port, or hostname', {
      hint: 'Leave empty to keep the current one.',
      ...targetMax,
    }),
    ...question,
    status: text('Expected status', {
      hint: 'For example 200-299, or 200,302.',
      attributes: { required: true },
    }),
    certificate_days: number('Warn before the certificate expires (days)', { hint: '0 turns this off.' }),
    grace: number('Grace period (seconds)', { hint: 'Heartbeat only.' }),
    schedule: text('Schedule', {
      hint: 'For example 30 2 * * *, or 10 minutes. A check-in with another schedule replaces it.',
      attributes: { required: true },
    }),
    timezone,
    checkin_margin: number('Grace period (minutes)'),
    max_runtime: number('Max runtime (minutes)'),
    failure_issue_threshold: number('Failures before down'),
    recovery_threshold: number('Successes before up'),
    interval,
    timeout: number('Timeout (seconds)'),
    slow_ms: number('Slow above (milliseconds)', { hint: '0 turns this off.' }),
    confirmations: number('Checks in a row before the state changes'),
    opens_incidents: choice('When the monitor goes down', z.stringbool().optional(), {
      choices: choicesOf(opening),
    }),
    group,
    tags: text('Tags', { hint: 'Separated by commas.', attributes: { maxlength: 1_000 } }),
  },
  monitorChangeRequest.shape,
);

type MonitorField = keyof typeof monitorForm.fields;

const ofPages = ['target', 'method', 'headers', 'body', 'status', 'contains', 'certificate_days'] as const;
const ofChecks = ['interval', 'timeout', 'slow_ms', 'confirmations'] as const;
const ofRuns = ['checkin_margin', 'max_runtime', 'failure_issue_threshold', 'recovery_threshold'] as const;
const ofTypes: Readonly<Record<MonitorSettingsModel['type'], readonly MonitorField[]>> = {
  http: [...ofPages, ...ofChecks],
  keyword: [...ofPages, ...ofChecks],
  tcp: ['target', ...ofChecks],
  dns: ['target', 'answers', ...ofChecks],
  tls: ['target', 'certificate_days', ...ofChecks],
  heartbeat: ['grace', 'interval'],
  cron: ['schedule', 'timezone', ...ofRuns],
};

export function newMonitorPage({ types, projects }: NewMonitorModel, frame: Frame): PageContent {
  const ofProjects = projects.map((each) => ({ value: String(each.project_id), name: nameOf(each.name) }));
  const looks = {
    type: { choices: types.map((type) => ({ value: type, name: typeWords[type] })) },
    project: { choices: [{ value: '', name: 'none' }, ...ofProjects] },
  };
  return formPage(frame, {
    title: 'New monitor',
    crumbs: [crumb],
    why: 'The first check runs within five seconds. The state changes after two checks in a row with the same result.',
    act: '/monitors',
    fields: rows(newMonitorForm, { values: { method: 'GET', interval: 60 }, looks }),
    verb: 'Create monitor',
  });
}

/** Shows the URL of a new push monitor, which is never shown again. */
export function heartbeatMadePage(
  { slug, name: called, address }: { readonly slug: string; readonly name: string; readonly address: string },
  frame: Frame,
): PageContent {
  return shownOncePage(frame, {
    title: 'Heartbeat created',
    crumbs: [crumb],
    why: 'Call this URL with GET or POST when the job is done. It is shown only once. Anyone who knows it can call it.',
    label: 'URL',
    text: address,
    path: `/monitors/${encodeURIComponent(slug)}`,
    name: told(called),
  });
}

export function monitorSettingsPage(model: MonitorSettingsModel, frame: Frame): PageContent {
  const waits = isCalled(model);
  const target = el('code', null, told(model.target));
  return formPage(frame, {
    title: 'Edit monitor',
    crumbs: crumbsOf(model),
    why: waits ? ['Called by a job at ', target, '.'] : ['Checks ', target, `. ${more}`],
    act: `${pathOf(model)}/settings`,
    fields: rows(monitorForm, {
      values: { ...model, ...model.cron, target: '', tags: model.tags.join(', ') },
      only: ['name', ...ofTypes[model.type], 'opens_incidents', 'group', 'tags'],
      looks: {
        ...secretLooks(model),
        ...(waits ? { interval: { label: 'Expected every (seconds)' } } : {}),
      },
    }),
    verb: 'Save',
  });
}

/** Headers and body may contain secrets: their values are not shown. */
function secretLooks({ header_names: names, has_body: hasBody }: MonitorSettingsModel) {
  const stays = 'Leave empty to keep the current value; enter - to remove it.';
  const ofHeaders = names.length === 0 ? '' : ` Set now: ${names.join(', ')}.`;
  const isThere = names.length > 0 || hasBody;
  return {
    headers: {
      hint: `HTTP(S) only. One header per line, as Name: value.${ofHeaders}${isThere ? ` ${stays}` : ''}`,
    },
    body: { hint: `Sent with POST, PUT, PATCH and DELETE.${hasBody ? ` A body is set. ${stays}` : ''}` },
  };
}

export function deleteMonitorPage(model: MonitorSettingsModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Delete monitor',
    crumbs: crumbsOf(model),
    heading: ['Delete ', told(model.name)],
    why: 'Its checks and statistics are deleted with it. This cannot be undone.',
    act: `${pathOf(model)}/delete`,
    verb: 'Delete monitor',
  });
}

function crumbsOf(model: Pick<MonitorSettingsModel, 'slug' | 'name'>) {
  return [crumb, { name: model.name, path: pathOf(model) }];
}

function pathOf({ slug }: Pick<MonitorSettingsModel, 'slug'>): string {
  return `/monitors/${encodeURIComponent(slug)}`;
}
