import { z } from 'zod';
import { monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import { type MonitorSettingsModel, offeredTypes } from '../../core/page-models/monitoring/monitor-forms.ts';
import { formatDuration } from '../../core/parsing/format/numbers.ts';
import { actionForm, submitButton } from '../components/controls.ts';
import { confirmPage, secretShownOncePage } from '../components/dialog-forms.ts';
import { pageHead } from '../components/elements.ts';
import {
  choicesFromLabels,
  defineForm,
  type FieldOptions,
  type FormEntry,
  formFields,
  formSummary,
  numberField,
  parseOnlyField,
  selectField,
  textareaField,
  textField,
} from '../components/form.ts';
import { type Content, el, html, pageLink } from '../el.ts';
import type { PageContent, PageContext } from '../page-context.ts';
import { receivesCheckIns, shortUntrustedText } from './labels.ts';

const monitorsBreadcrumb = { name: 'Monitors', path: '/monitors' };
export const typeWords = {
  http: 'HTTP(S)',
  keyword: 'HTTP(S)',
  tcp: 'TCP port',
  dns: 'DNS record',
  tls: 'TLS certificate',
  heartbeat: 'Heartbeat',
  cron: 'Cron job',
} as const;
const opening = { true: 'Open an incident', false: 'Do not open an incident' };
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const records = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'] as const;
const word = z.string().optional();
const sentMax = { maxlength: 16_384, spellcheck: 'false' };
const optional = { isOptional: true };
const seconds = { unit: 'seconds' };
const minutes = { unit: 'minutes' };
const namedByTarget = { ...optional, hint: 'Filled from the URL or host if empty.' };
const choicesOf = (values: readonly string[]) => values.map((value) => ({ value, name: value }));

const retriesError = 'Enter a number from 0 to 9.';
const retries = z.coerce
  .number(retriesError)
  .int(retriesError)
  .min(0, retriesError)
  .max(9, retriesError)
  .optional();

/** All fields of monitors, by their names in the API; `retries` is one less than `confirmations`. */
const fields = {
  method: selectField('Method', word, { class: 'method', choices: choicesOf(methods) }),
  url: textField('URL', {
    class: 'wideish',
    missing: 'Enter a URL that starts with https:// or http://.',
    attributes: { type: 'url', placeholder: 'https://shop.example/health', autocomplete: 'url' },
  }),
  host: textField('Host', {
    class: 'wideish',
    missing: 'Enter a hostname.',
    attributes: { placeholder: 'shop.example', spellcheck: 'false' },
  }),
  port: numberField('Port', { attributes: { required: false }, missing: 'Enter a port from 1 to 65535.' }),
  record: selectField('Record type', word, { choices: choicesOf(records) }),
  answers: textareaField('Expected records', {
    ...optional,
    hint: 'One per line, for example 10 mail.shop.example. Leave empty to accept any record.',
  }),
  name: textField('Name', { missing: 'Enter a name.', attributes: { placeholder: 'Front page' } }),
  monitor_slug: textField('Slug', {
    ...optional,
    hint: 'Names the job in check-ins. Made from the name if empty.',
  }),
  headers: textareaField('Headers', {
    ...optional,
    hint: 'One per line, for example Accept: application/json',
    attributes: sentMax,
  }),
  body: textareaField('Body', { ...optional, hint: 'Sent with POST, PUT, PATCH and DELETE.' }),
  status: textField('Expected status', {
    hint: 'A code (200), a class (2xx) or a range (200-299).',
    attributes: { required: true },
  }),
  contains: textField('Expected text', { ...optional, hint: 'For example "status":"ok"' }),
  interval: numberField('Check every', seconds),
  timeout: numberField('Timeout', seconds),
  retries: { ...numberField('Retries before down', { attributes: { min: 0, max: 9 } }), schema: retries },
  grace: numberField('Grace period', seconds),
  schedule: textField('Cron expression or interval', {
    missing: 'Enter a schedule.',
    attributes: { class: 'mono', placeholder: '30 2 * * 1-5', spellcheck: 'false' },
    hint: 'For example 30 2 * * 1-5, @daily or 10 minutes.',
  }),
  timezone: textField('Time zone', {
    attributes: { placeholder: 'UTC' },
    hint: 'For example Europe/Berlin.',
  }),
  checkin_margin: numberField('Grace period', minutes),
  max_runtime: numberField('Max runtime', minutes),
  failure_issue_threshold: numberField('Failures before down'),
  recovery_threshold: numberField('Successes before up'),
  certificate_days: numberField('Warn before the certificate expires', {
    unit: 'days',
    hint: '0 turns this off.',
  }),
  slow_ms: numberField('Degraded if slower than', { unit: 'milliseconds', hint: '0 turns this off.' }),
  project: selectField('Project', word, { missing: 'Choose the project whose key sends the check-ins.' }),
  opens_incidents: selectField('When the monitor goes down', z.stringbool().optional(), {
    choices: choicesFromLabels(opening),
  }),
  group: textField('Group', { ...optional, hint: 'For example Shop.' }),
  tags: textField('Tags', { ...optional, hint: 'Separated by commas.', attributes: { maxlength: 1_000 } }),
};

export const monitorForm = defineForm(
  {
    ...fields,
    type: parseOnlyField(z.enum(offeredTypes, 'Choose a type.')),
    /** Whether to save, or to check what was entered and show the form again. */
    do: parseOnlyField(z.enum(['create', 'check']).default('create')),
  },
  monitorRequest.shape,
);

const { project: _project, monitor_slug: _slug, ...changed } = fields;
export const editMonitorForm = defineForm(changed, monitorChangeRequest.shape);

type MonitorField = keyof typeof fields;

interface FieldGroup {
  readonly legend: string;
  readonly rows: ReadonlyArray<readonly MonitorField[]>;
  /** Closed unless something in it is filled or wrong. */
  readonly isClosed?: boolean;
}

const checks: FieldGroup = { legend: 'Schedule', rows: [['interval', 'timeout', 'retries']] };
const more = (...rows: FieldGroup['rows']): FieldGroup[] => [
  { legend: 'Project and incidents', rows: [['project', 'opens_incidents']] },
  { legend: 'More settings', isClosed: true, rows: [...rows, ['group', 'tags']] },
];
const pageFields: readonly FieldGroup[] = [
  { legend: '', rows: [['method', 'url'], ['name']] },
  { legend: 'Headers and body', isClosed: true, rows: [['headers'], ['body']] },
  { legend: 'Expected response', rows: [['status', 'contains']] },
  checks,
  ...more(['slow_ms', 'certificate_days']),
];

const groupsOfType: Readonly<Record<MonitorSettingsModel['type'], readonly FieldGroup[]>> = {
  http: pageFields,
  keyword: pageFields,
  tcp: [{ legend: '', rows: [['host', 'port'], ['name']] }, checks, ...more(['slow_ms'])],
  dns: [{ legend: '', rows: [['host', 'record'], ['name'], ['answers']] }, checks, ...more(['slow_ms'])],
  tls: [
    { legend: '', rows: [['host', 'port'], ['name'], ['certificate_days']] },
    checks,
    ...more(['slow_ms']),
  ],
  heartbeat: [
    { legend: '', rows: [['name']] },
    { legend: 'Schedule', rows: [['interval', 'grace']] },
    ...more(),
  ],
  cron: [
    { legend: '', rows: [['name', 'monitor_slug']] },
    {
      legend: 'Schedule',
      rows: [
        ['schedule', 'timezone'],
        ['checkin_margin', 'max_runtime'],
        ['failure_issue_threshold', 'recovery_threshold'],
      ],
    },
    ...more(),
  ],
};

/** What `createMonitor` takes where nothing is said. */
export const usualValues = {
  method: 'GET',
  status: '200-299',
  interval: '60',
  timeout: '10',
  retries: '1',
  grace: '300',
  checkin_margin: '1',
  max_runtime: '30',
  failure_issue_threshold: '1',
  recovery_threshold: '1',
  certificate_days: '14',
  slow_ms: '0',
  opens_incidents: 'true',
} as const;

interface GroupDisplay {
  readonly values: Readonly<Record<string, unknown>>;
  readonly errors?: Readonly<Record<string, string>>;
  readonly fieldOptions?: { readonly [Each in MonitorField]?: Partial<FieldOptions> };
  readonly except?: readonly MonitorField[];
}

/** The fields of a type, in fieldsets; a new monitor and an edited one have the same. */
export function monitorFieldsets(
  type: MonitorSettingsModel['type'],
  { values, errors = {}, fieldOptions = {}, except = [] }: GroupDisplay,
): Content[] {
  const ofType: GroupDisplay['fieldOptions'] =
    type === 'heartbeat'
      ? { interval: { label: 'Expected every' } }
      : type === 'cron'
        ? {}
        : { name: namedByTarget, ...(type === 'tls' ? { port: optional } : {}) };
  const isFilled = (name: MonitorField): boolean => {
    const usual = (usualValues as Readonly<Record<string, string>>)[name] ?? '';
    return errors[name] !== undefined || String(values[name] ?? usual) !== usual;
  };
  return groupsOfType[type].map(({ legend, rows, isClosed = false }) => {
    const shown = rows
      .map((row) => row.filter((name) => !except.includes(name)))
      .filter((row) => row.length > 0);
    const lines = shown.map((only) => {
      const line = formFields(monitorForm, {
        values,
        errors,
        only,
        fieldOptions: { ...ofType, ...fieldOptions },
      });
      return only.length === 1 ? line : el('div', { class: 'fields' }, ...line);
    });
    if (isClosed) {
      const open = shown.flat().some(isFilled);
      return el('details', { open }, el('summary', null, legend), el('div', { class: 'stack' }, ...lines));
    }
    const head = legend === '' ? { class: 'vh' } : null;
    const scheduleText = legend === 'Schedule' ? scheduleSentence(type, values) : null;
    return html`<fieldset>
      <legend ...${head}>${legend === '' ? typeWords[type] : legend}</legend>${lines}${scheduleText}
    </fieldset>`;
  });
}

function scheduleSentence(type: MonitorSettingsModel['type'], values: GroupDisplay['values']): Content {
  const [interval, retries, grace] = [values['interval'], values['retries'], values['grace']].map(Number);
  if (type === 'heartbeat' && interval && grace !== undefined && interval > 0) {
    return html`<p class="says">Down when no call arrives for <b>${formatDuration((interval + grace) * 1000)}</b>.</p>`;
  }
  if (type === 'heartbeat' || type === 'cron' || !interval || retries === undefined || !(retries >= 0))
    return null;
  const failures = retries === 0 ? 'the first failed check' : `${retries + 1} failed checks in a row`;
  const within = formatDuration(interval * (retries + 1) * 1000);
  return html`<p class="says">Down after ${failures}, so within <b>about ${within}</b>.</p>`;
}

/** Shows the URL of a new push monitor, which is never shown again. */
export function pushMonitorCreatedPage(
  { slug, name: called, address }: { readonly slug: string; readonly name: string; readonly address: string },
  context: PageContext,
): PageContent {
  return secretShownOncePage(context, {
    title: 'Heartbeat created',
    breadcrumbs: [monitorsBreadcrumb],
    description:
      'Call this URL with GET or POST when the job is done. It is shown only once. Anyone who knows it can call it.',
    label: 'URL',
    text: address,
    path: `/monitors/${encodeURIComponent(slug)}`,
    name: shortUntrustedText(called),
  });
}

export function editMonitorPage(
  model: MonitorSettingsModel,
  context: PageContext,
  entry: FormEntry | null = null,
): PageContent {
  const waits = receivesCheckIns(model);
  const target = el('code', null, shortUntrustedText(model.target));
  const { port, ...stored } = model;
  const values = entry?.values ?? {
    ...stored,
    ...model.cron,
    port: port === 0 ? '' : port,
    retries: model.confirmations - 1,
    tags: model.tags.join(', '),
  };
  const unused = 'Expected JSON values, redirects and forbidden text are set through the API.';
  return {
    title: 'Edit monitor',
    breadcrumbs: breadcrumbsOf(model),
    main: [
      pageHead({ title: 'Edit monitor' }),
      html`<p class="soft">
        ${waits ? ['Called by a job at ', target, '.'] : ['Checks ', target, `. ${unused}`]}
      </p>`,
      actionForm(
        context,
        `${pathOf(model)}/settings`,
        { class: 'form space', novalidate: true },
        entry === null ? null : formSummary(editMonitorForm, entry),
        ...monitorFieldsets(model.type, {
          values,
          errors: entry?.errors ?? {},
          fieldOptions: { ...secretOptions(model), url: { hint: 'Leave empty to keep the current URL.' } },
          except: ['project', 'monitor_slug'],
        }),
        html`<p class="acts">
          ${submitButton('Save', { class: 'btn primary' })}
          ${pageLink(context, pathOf(model), { class: 'btn' }, 'Cancel')}
        </p>`,
      ),
    ],
  };
}

/** Headers and body may contain secrets: their values are not shown. */
function secretOptions({ header_names: names, has_body: hasBody }: MonitorSettingsModel) {
  const stays = 'Leave empty to keep the current value; enter - to remove it.';
  const ofHeaders = names.length === 0 ? '' : ` Set now: ${names.join(', ')}.`;
  const isThere = names.length > 0 || hasBody;
  return {
    headers: {
      hint: `One per line, for example Accept: application/json.${ofHeaders}${isThere ? ` ${stays}` : ''}`,
    },
    body: { hint: `Sent with POST, PUT, PATCH and DELETE.${hasBody ? ` A body is set. ${stays}` : ''}` },
  };
}

export function deleteMonitorPage(model: MonitorSettingsModel, context: PageContext): PageContent {
  return confirmPage(context, {
    title: 'Delete monitor',
    breadcrumbs: breadcrumbsOf(model),
    heading: ['Delete ', shortUntrustedText(model.name)],
    description: 'Its checks and statistics are deleted with it. This cannot be undone.',
    action: `${pathOf(model)}/delete`,
    verb: 'Delete monitor',
  });
}

function breadcrumbsOf(model: Pick<MonitorSettingsModel, 'slug' | 'name'>) {
  return [monitorsBreadcrumb, { name: model.name, path: pathOf(model) }];
}

function pathOf({ slug }: Pick<MonitorSettingsModel, 'slug'>): string {
  return `/monitors/${encodeURIComponent(slug)}`;
}
