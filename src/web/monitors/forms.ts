import { z } from 'zod';
import { checkedMonitorTypes, monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import type {
  MonitorSettingsModel,
  NewMonitorModel,
} from '../../core/page-models/monitoring/monitor-forms.ts';
import { confirmPage, formPage, secretShownOncePage } from '../components/dialog-forms.ts';
import {
  choicesFromLabels,
  defineForm,
  formFields,
  numberField,
  requiredTextField,
  selectField,
  textareaField,
  textField,
} from '../components/form.ts';
import { el } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { receivesCheckIns, shortUntrustedName, shortUntrustedText } from '../uptime/labels.ts';

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

const name = requiredTextField('Name', 'Enter a name.', {
  hint: 'Shown in lists and notifications, for example Front page.',
});
const question = {
  method: selectField('Method', word, {
    hint: 'HTTP(S) only.',
    choices: methods.map((value) => ({ value, name: value })),
  }),
  headers: textareaField('Headers', {
    hint: 'HTTP(S) only. One header per line, as Name: value.',
    ...sentMax,
  }),
  body: textareaField('Body', { hint: 'Sent with POST, PUT, PATCH and DELETE.' }),
  contains: textField('Expected text', {
    hint: 'HTTP(S) only. The response must contain exactly this text.',
  }),
  answers: textareaField('Expected records', {
    hint: 'DNS only. One record per line, for example 10 mail.shop.example. Leave empty to accept any record.',
  }),
};
const interval = numberField('Check every (seconds)');
const timezone = textField('Time zone', { hint: 'Cron job only, for example Europe/Berlin. UTC if empty.' });
const group = textField('Group');

export const newMonitorForm = defineForm(
  {
    name,
    type: selectField('Type', z.enum(checkedMonitorTypes, 'Choose a type.')),
    target: textField('URL, host or schedule', {
      hint: 'HTTP(S): https://shop.example/. TCP port: db.internal:5432. DNS record: shop.example MX. TLS certificate: shop.example. Cron job: its schedule, 30 2 * * * or 10 minutes. Heartbeat: leave empty; you get a URL to call.',
      ...targetMax,
    }),
    ...question,
    interval,
    timezone,
    project: selectField('Project', word, {
      hint: 'Required for a cron job: its check-ins are sent with a key of this project.',
    }),
    group,
  },
  monitorRequest.shape,
);

export const editMonitorForm = defineForm(
  {
    name,
    target: textField('New URL, host and port, or hostname', {
      hint: 'Leave empty to keep the current one.',
      ...targetMax,
    }),
    ...question,
    status: textField('Expected status', {
      hint: 'For example 200-299, or 200,302.',
      attributes: { required: true },
    }),
    certificate_days: numberField('Warn before the certificate expires (days)', {
      hint: '0 turns this off.',
    }),
    grace: numberField('Grace period (seconds)', { hint: 'Heartbeat only.' }),
    schedule: textField('Schedule', {
      hint: 'For example 30 2 * * *, or 10 minutes. A check-in with another schedule replaces it.',
      attributes: { required: true },
    }),
    timezone,
    checkin_margin: numberField('Grace period (minutes)'),
    max_runtime: numberField('Max runtime (minutes)'),
    failure_issue_threshold: numberField('Failures before down'),
    recovery_threshold: numberField('Successes before up'),
    interval,
    timeout: numberField('Timeout (seconds)'),
    slow_ms: numberField('Slow above (milliseconds)', { hint: '0 turns this off.' }),
    confirmations: numberField('Checks in a row before the state changes'),
    opens_incidents: selectField('When the monitor goes down', z.stringbool().optional(), {
      choices: choicesFromLabels(opening),
    }),
    group,
    tags: textField('Tags', { hint: 'Separated by commas.', attributes: { maxlength: 1_000 } }),
  },
  monitorChangeRequest.shape,
);

type MonitorField = keyof typeof editMonitorForm.fields;

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

export function newMonitorPage({ types, projects }: NewMonitorModel, context: PageContext): PageContent {
  const ofProjects = projects.map((each) => ({
    value: String(each.project_id),
    name: shortUntrustedName(each.name),
  }));
  const looks = {
    type: { choices: types.map((type) => ({ value: type, name: typeWords[type] })) },
    project: { choices: [{ value: '', name: 'none' }, ...ofProjects] },
  };
  return formPage(context, {
    title: 'New monitor',
    crumbs: [crumb],
    why: 'The first check runs within five seconds. The state changes after two checks in a row with the same result.',
    act: '/monitors',
    fields: formFields(newMonitorForm, { values: { method: 'GET', interval: 60 }, looks }),
    verb: 'Create monitor',
  });
}

/** Shows the URL of a new push monitor, which is never shown again. */
export function pushMonitorCreatedPage(
  { slug, name: called, address }: { readonly slug: string; readonly name: string; readonly address: string },
  frame: PageContext,
): PageContent {
  return secretShownOncePage(frame, {
    title: 'Heartbeat created',
    crumbs: [crumb],
    why: 'Call this URL with GET or POST when the job is done. It is shown only once. Anyone who knows it can call it.',
    label: 'URL',
    text: address,
    path: `/monitors/${encodeURIComponent(slug)}`,
    name: shortUntrustedText(called),
  });
}

export function editMonitorPage(model: MonitorSettingsModel, frame: PageContext): PageContent {
  const waits = receivesCheckIns(model);
  const target = el('code', null, shortUntrustedText(model.target));
  return formPage(frame, {
    title: 'Edit monitor',
    crumbs: crumbsOf(model),
    why: waits ? ['Called by a job at ', target, '.'] : ['Checks ', target, `. ${more}`],
    act: `${pathOf(model)}/settings`,
    fields: formFields(editMonitorForm, {
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

export function deleteMonitorPage(model: MonitorSettingsModel, frame: PageContext): PageContent {
  return confirmPage(frame, {
    title: 'Delete monitor',
    crumbs: crumbsOf(model),
    heading: ['Delete ', shortUntrustedText(model.name)],
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
