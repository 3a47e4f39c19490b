import { type MonitorRequest, monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import { createInvalidParamError, createMissingParamsError, RestError } from '../../../src/core/errors.ts';
import { heartbeatPath } from '../../../src/core/monitors/heartbeat.ts';
import {
  checkMonitorNow,
  createMonitor,
  deleteMonitor,
  updateMonitor,
} from '../../../src/core/monitors/monitors.ts';
import { tryMonitor } from '../../../src/core/monitors/try-monitor.ts';
import { monitorModel } from '../../../src/core/page-models/monitoring/monitor.ts';
import {
  getMonitorOfPath,
  monitorSettingsModel,
  type NewMonitorFormModel,
  newMonitorFormModel,
  newMonitorFormModelOf,
  newMonitorModel,
  type OfferedType,
  offeredTypes,
} from '../../../src/core/page-models/monitoring/monitor-forms.ts';
import { monitorsModel } from '../../../src/core/page-models/monitoring/monitors.ts';
import { ownerOfNew, type RequestContext } from '../../../src/core/page-models/request-context.ts';
import { parseValue } from '../../../src/http/api/parse-parameters.ts';
import { action, confirmationForm, noForm, page, showPage } from '../../../src/http/pages/declarations.ts';
import type { FormEntry, FormValues } from '../../../src/web/components/form.ts';
import {
  deleteMonitorPage,
  editMonitorForm,
  editMonitorPage,
  monitorForm,
  pushMonitorCreatedPage,
} from '../../../src/web/monitors/forms.ts';
import { monitorPage } from '../../../src/web/monitors/monitor.ts';
import { monitorsPage } from '../../../src/web/monitors/monitors.ts';
import { newMonitorFormPage, newMonitorPage } from '../../../src/web/monitors/new.ts';
import { pauseForm, toPauseChange } from './pause.ts';

const one = '/monitors/{slug}';

export function monitorPages() {
  return [
    page('/monitors', 'viewer', monitorsModel, monitorsPage),
    page('/monitors/new', 'member', newMonitorModel, newMonitorPage),
    page('/monitors/new/{type}', 'member', newMonitorFormModel, newMonitorFormPage),
    action('/monitors', 'member', monitorForm.schema, createOrTry, {
      onInvalid: {
        model: async (context, entry) => enteredFormModel(context, entry),
        view: (model, pageContext, entry) => newMonitorFormPage(model, pageContext, { entry, trial: null }),
      },
    }),
    page(one, 'viewer', monitorModel, monitorPage),
    page(`${one}/settings`, 'member', monitorSettingsModel, editMonitorPage),
    action(`${one}/settings`, 'member', editMonitorForm.schema, change, {
      onInvalid: { model: monitorSettingsModel, view: editMonitorPage },
    }),
    page(`${one}/delete`, 'admin', monitorSettingsModel, deleteMonitorPage),
    action(`${one}/delete`, 'admin', confirmationForm, remove),
    action(`${one}/check`, 'member', noForm, checkNow),
    action(`${one}/pause`, 'member', pauseForm, (context, form) =>
      changed(context, toPauseChange(context, form)),
    ),
    action(`${one}/resume`, 'member', noForm, (context) => changed(context, { paused: false })),
  ];
}

/** Saves the monitor, or shows the form again with what a check of it finds. */
async function createOrTry(context: RequestContext, { do: verb, ...form }: FormValues<typeof monitorForm>) {
  const input = parseFilled(form);
  const projectId = ownerOfNew(context, projectOf(context, form.project));
  if (form.type === 'cron' && projectId === null) throw createMissingParamsError(['project']);
  if (verb === 'check') {
    const trial = await tryMonitor(context.deps, input);
    const entry = { values: textsOf(form), errors: {} };
    const model = enteredFormModel(context, entry);
    return showPage((pageContext) => newMonitorFormPage(model, pageContext, { entry, trial }));
  }
  const { monitor, token } = await createMonitor(context.deps, projectId, input, context.by);
  if (token === null) return { to: pathOf(monitor) };
  const { slug, name } = monitor;
  const shown = { slug, name, address: `${context.apiUrl}${heartbeatPath(token)}` };
  return showPage((pageContext) => pushMonitorCreatedPage(shown, pageContext));
}

function enteredFormModel(context: RequestContext, { values }: FormEntry): NewMonitorFormModel {
  return newMonitorFormModelOf(context, offeredTypes.find((each) => each === values['type']) ?? 'http');
}

type MonitorFormValues = Omit<FormValues<typeof monitorForm>, 'do'>;

const needed: Readonly<Record<OfferedType, ReadonlyArray<'url' | 'host' | 'schedule' | 'project'>>> = {
  http: ['url'],
  tcp: ['host'],
  dns: ['host'],
  tls: ['host'],
  heartbeat: [],
  cron: ['schedule', 'project'],
};

/** Throws for all that is missing or out of range at once. A name is made from the target where there is one. */
function parseFilled(form: MonitorFormValues): MonitorRequest {
  const alwaysRequired = form.type === 'heartbeat' || form.type === 'cron' ? (['name'] as const) : [];
  const missing = [...alwaysRequired, ...needed[form.type]].filter((name) => form[name] === undefined);
  if (missing.length === 0) return parseValue(monitorRequest, requestOf(form));
  const errors = Object.fromEntries(missing.map((name) => [name, '']));
  try {
    parseValue(monitorRequest, requestOf(form));
  } catch (error) {
    if (error instanceof RestError) Object.assign(errors, error.extra['params'], errors);
  }
  throw createInvalidParamError(errors);
}

function requestOf({ project: _project, retries, method, tags = '', ...form }: MonitorFormValues) {
  const { type, url, host, port } = form;
  const target = url
    ?.replace(/^https?:\/\//, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '');
  const ofHost = [host, port].filter((part) => part !== undefined).join(':');
  const name = form.name ?? (target ?? ofHost).slice(0, 100);
  const confirmations = retries === undefined ? undefined : retries + 1;
  const sent = { ...form, name, confirmations, tags: tagsOf(tags) };
  // The form sends GET as it stands there.
  return type === 'http' && method !== 'GET' ? { ...sent, method } : sent;
}

function tagsOf(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

function textsOf(form: object): FormEntry['values'] {
  const filled = Object.entries(form).filter(([, value]) => value !== undefined);
  return Object.fromEntries(filled.map(([name, value]) => [name, String(value)]));
}

function projectOf({ projects }: RequestContext, entered = ''): number | null {
  if (entered === '') return null;
  const project = projects.find(({ id }) => String(id) === entered);
  if (project === undefined) throw createInvalidParamError({ project: 'Choose a project from the list.' });
  return project.id;
}

/** A single dash clears a header or body, which the form hides since it may be secret. */
function endedBy(entered: string | undefined): string | undefined {
  return entered === '-' ? '' : entered;
}

/** Empty fields are cleared, except for the URL, headers and body, which the form does not show in full. */
async function change(context: RequestContext, changes: FormValues<typeof editMonitorForm>) {
  const { type } = await getMonitorOfPath(context);
  const { tags = '', contains = '', answers = '', group = '', retries, headers, body, ...form } = changes;
  const timezone = form.timezone ?? (type === 'cron' ? 'UTC' : '');
  const emptied = { contains, answers, group, timezone, tags: tagsOf(tags) };
  const confirmations = retries === undefined ? undefined : retries + 1;
  const sent = { headers: endedBy(headers), body: endedBy(body), confirmations };
  return changed(context, { ...form, ...emptied, ...sent });
}

async function changed(context: RequestContext, entered: Readonly<Record<string, unknown>>) {
  const { id } = await getMonitorOfPath(context);
  const read = parseValue(monitorChangeRequest, entered);
  return { to: pathOf((await updateMonitor(context.deps, null, id, read, context.by)).monitor) };
}

async function checkNow(context: RequestContext) {
  const { id } = await getMonitorOfPath(context);
  const monitor = await checkMonitorNow(context.deps, null, id, context.by);
  return { to: pathOf(monitor), notice: 'monitor-asked' };
}

async function remove(context: RequestContext) {
  const { id } = await getMonitorOfPath(context);
  await deleteMonitor(context.deps, null, id, context.by);
  return { to: '/monitors' };
}

function pathOf({ slug }: { readonly slug: string }): string {
  return `/monitors/${encodeURIComponent(slug)}`;
}
