import { z } from 'zod';
import {
  causeKinds,
  type IncidentChangeRequest,
  incidentChangeRequest,
  incidentRequest,
} from '../../schemas/incidents.ts';
import {
  maintenanceWindowChangeRequest,
  maintenanceWindowRequest,
} from '../../schemas/maintenance-windows.ts';
import { createInvalidParamError, RestError } from '../../src/core/errors.ts';
import {
  createIncident,
  deleteIncident,
  getIncident,
  updateIncident,
} from '../../src/core/incidents/incidents.ts';
import {
  createWindow,
  deleteWindow,
  updateWindow,
} from '../../src/core/monitors/maintenance-windows/windows.ts';
import { type IncidentModel, incidentModel } from '../../src/core/page-models/monitoring/incident.ts';
import {
  getMaintenanceOfPath,
  type MaintenanceModel,
  maintenanceModel,
  newIncidentModel,
  newMaintenanceModel,
} from '../../src/core/page-models/monitoring/incident-form-models.ts';
import { incidentsModel } from '../../src/core/page-models/monitoring/incidents.ts';
import {
  invalidPageInput,
  ownerOfNew,
  pageNotFound,
  pathId,
  type RequestContext,
} from '../../src/core/page-models/request-context.ts';
import { parseValue } from '../../src/http/api/parse-parameters.ts';
import { action, confirmationForm, noForm, page } from '../../src/http/pages/declarations.ts';
import type { FormValues } from '../../src/web/components/form.ts';
import {
  cancelMaintenancePage,
  deleteIncidentPage,
  editMaintenancePage,
  newIncidentForm,
  newIncidentPage,
  newMaintenanceForm,
  newMaintenancePage,
  postMortemForm,
  postMortemPage,
} from '../../src/web/incidents/forms.ts';
import { incidentPage } from '../../src/web/incidents/incident.ts';
import { incidentsPage } from '../../src/web/incidents/incidents.ts';

const one = '/incidents/{incident_id}';
const openStates = ['investigating', 'identified', 'monitoring'] as const;

export function incidentPages() {
  return [
    page('/incidents', 'viewer', incidentsModel, incidentsPage),
    page('/incidents/new', 'member', newIncidentModel, newIncidentPage),
    action('/incidents', 'member', newIncidentForm.schema, open, {
      onInvalid: { model: newIncidentModel, view: newIncidentPage },
      fieldOf: { monitors: 'monitor', components: 'component' },
    }),
    ...plannedPages(),
    page(one, 'viewer', incidentModel, incidentPage),
    page(`${one}/post-mortem`, 'member', incidentModel, postMortemPage),
    action(
      `${one}/post-mortem`,
      'member',
      postMortemForm.schema,
      (context, { text = '', to }) =>
        change(context, { post_mortem: text, post_mortem_public: to === 'public' }),
      { onInvalid: { model: incidentModel, view: postMortemPage }, fieldOf: { post_mortem: 'text' } },
    ),
    page(`${one}/delete`, 'admin', incidentModel, deleteIncidentPage),
    action(`${one}/delete`, 'admin', confirmationForm, remove),
    ...incidentActions(),
  ];
}

function incidentActions() {
  const stateForm = z.object({ state: z.enum(openStates, 'Choose a state.') });
  const updateForm = z.object({
    body: z.string('Enter an update.'),
    to: z.enum(['team', 'public'], 'Choose who can see it.'),
  });
  const answered = z.object({
    cause: z.string('Choose a cause.'),
    answer: z.enum(['link', 'drop'], 'Choose whether to link or dismiss it.'),
  });
  return [
    action(`${one}/acknowledge`, 'member', noForm, acknowledge),
    action(`${one}/resolve`, 'member', noForm, (context) => change(context, { state: 'resolved' })),
    action(`${one}/reopen`, 'member', noForm, (context) => change(context, { state: 'investigating' })),
    action(`${one}/state`, 'member', stateForm, change),
    action(
      `${one}/updates`,
      'member',
      updateForm,
      (context, { body, to }) => change(context, { message: body, public: to === 'public' }),
      { onInvalid: { model: incidentModel, view: incidentPage }, fieldOf: { message: 'body' } },
    ),
    action(`${one}/causes`, 'member', answered, answer),
  ];
}

async function open(
  context: RequestContext,
  { monitor, component, ...form }: FormValues<typeof newIncidentForm>,
) {
  const input = parseValue(incidentRequest, {
    ...form,
    ...(monitor ? { monitors: [monitor] } : {}),
    ...(component ? { components: [component] } : {}),
  });
  return {
    to: pathOf(await createIncident(context.deps, ownerOfNew(context, null), input, context.by)),
  };
}

/** The user becomes the assignee if there is none. */
async function acknowledge(context: RequestContext) {
  const { lead } = await getIncident(context.deps, null, numberOf(context));
  return change(context, {
    acknowledged: true,
    ...(lead === null ? { lead: context.currentUser.name } : {}),
  });
}

/** `cause` is like `issue-7`. */
async function answer(
  context: RequestContext,
  { cause, answer: choice }: { readonly cause: string; readonly answer: 'link' | 'drop' },
) {
  const [word, number] = cause.split('-');
  const kind = causeKinds.find((each) => each === word);
  const id = Number(number);
  if (kind === undefined || !Number.isSafeInteger(id) || id < 1) throw invalidPageInput('Choose a cause.');
  return change(context, choice === 'link' ? { link: { kind, id } } : { dismiss: { kind, id } });
}

async function change(context: RequestContext, changes: IncidentChangeRequest) {
  const id = numberOf(context);
  const read = parseValue(incidentChangeRequest, changes);
  return { to: pathOf(await updateIncident(context.deps, null, id, read, context.by)) };
}

async function remove(context: RequestContext) {
  await deleteIncident(context.deps, null, numberOf(context), context.by);
  return { to: '/incidents' };
}

function numberOf(context: RequestContext): number {
  return pathId(context, 'incident_id', 'An incident with this number');
}

function pathOf({ id }: { readonly id: number }): string {
  return `/incidents/${id}`;
}

const what = 'Maintenance with this number';
type Planned = FormValues<typeof newMaintenanceForm>;

function plannedPages() {
  return [
    page('/incidents/plan', 'member', newMaintenanceModel, newMaintenancePage),
    page('/incidents/plan/weekly', 'member', newMaintenanceModel, (model, pageContext) =>
      newMaintenancePage(model, pageContext, { repeat: 'weekly' }),
    ),
    action('/incidents/plan', 'member', newMaintenanceForm.schema, plan, {
      onInvalid: {
        model: newMaintenanceModel,
        view(model, frame, entry) {
          const repeat = 'weekdays' in entry.values ? 'weekly' : 'once';
          return newMaintenancePage(model, frame, { entry, repeat });
        },
      },
    }),
    page(`${one}/plan`, 'member', maintenanceModel, editMaintenancePage),
    action(`${one}/plan`, 'member', newMaintenanceForm.schema, changeWindow, {
      onInvalid: { model: maintenanceModel, view: editMaintenancePage },
    }),
    page(`${one}/call-off`, 'member', canceledModel, cancelMaintenancePage),
    action(`${one}/call-off`, 'member', confirmationForm, callOffWindow),
  ];
}

async function canceledModel(context: RequestContext): Promise<IncidentModel> {
  const model = await incidentModel(context);
  if (model.severity !== 'planned' || model.is_over) throw pageNotFound(what);
  return model;
}

async function plan(context: RequestContext, form: Planned) {
  const planning = async () => {
    const { title, message, covers } = form;
    const input = parseValue(maintenanceWindowRequest, {
      title,
      message,
      ...coverageOf(covers),
      ...timesOf(form),
    });
    return createWindow(context.deps, ownerOfNew(context, null), input, context.by);
  };
  const { incidentId } = await withFieldErrors(planning());
  return { to: incidentId === null ? '/incidents' : `/incidents/${incidentId}` };
}

async function changeWindow(context: RequestContext, form: Planned) {
  const { id } = await getMaintenanceOfPath(context);
  const times = changedTimes(await maintenanceModel(context), form);
  const changing = async () => {
    const { title, message = '', covers } = form;
    const about = covers === 'same' ? {} : { ...nothing, ...coverageOf(covers) };
    const changes = parseValue(maintenanceWindowChangeRequest, { title, message, ...about, ...times });
    return updateWindow(context.deps, null, id, changes, context.by);
  };
  const { incidentId } = await withFieldErrors(changing());
  return { to: incidentId === null ? '/incidents' : `/incidents/${incidentId}` };
}

const fieldOf: Readonly<Record<string, string>> = {
  ...{ starts_at: 'from', ends_at: 'until' },
  ...{ monitors: 'covers', group: 'covers', tag: 'covers', all: 'covers' },
};

/** Errors of the API, by the names of the form's fields. */
async function withFieldErrors<Result>(action: Promise<Result>): Promise<Result> {
  try {
    return await action;
  } catch (error) {
    const params: unknown = error instanceof RestError ? error.extra['params'] : null;
    if (typeof params !== 'object' || params === null) throw error;
    const entries = Array.isArray(params)
      ? params.map((name) => [String(name), ''] as const)
      : Object.entries(params as Record<string, string>);
    throw createInvalidParamError(
      Object.fromEntries(entries.map(([name, sentence]) => [fieldOf[name] ?? name, sentenceOf(sentence)])),
    );
  }
}

function sentenceOf(sentence: string): string {
  const reworded = sentence
    .replace(/^weekdays\[\d+\] is not one of/, 'A weekday is one of')
    .replace(/^monitors: t/, 'T')
    .replaceAll('starts_at', 'the start');
  return reworded
    .replace(/^ends_at/, 'The end')
    .replace(/^the start/, 'The start')
    .replaceAll('ends_at', 'the end');
}

const nothing = { all: false, monitors: [], group: '', tag: '' };

/** Only changed fields of a single window are sent, since the form shows times without seconds. */
function changedTimes(before: MaintenanceModel, form: Planned): Record<string, unknown> {
  const isSaid = (text = ''): boolean => text.trim() !== '';
  if (isSaid(form.weekdays)) return timesOf(form);
  if (!isSaid(form.from) && !isSaid(form.until)) {
    throw createInvalidParamError({ until: 'Enter when it ends, or choose weekdays.' });
  }
  const names = ['from', 'until', 'at', 'minutes', 'timezone'] as const;
  const changed = names.filter((name) => form[name] !== before[name]);
  return timesOf(Object.fromEntries(changed.map((name) => [name, form[name]])));
}

/** `all`, `group:Shop`, `tag:eu` or `monitor:7`. */
function coverageOf(word: string): Record<string, unknown> {
  if (word === 'all') return { all: true };
  const [, kind = '', value = ''] = /^(group|tag|monitor):(.+)$/.exec(word) ?? [];
  if (kind === '') throw createInvalidParamError({ covers: 'Choose the affected monitors.' });
  return kind === 'monitor' ? { monitors: [Number(value)] } : { [kind]: value };
}

/** Empty fields are omitted; dates are UTC. */
function timesOf({ from, until, weekdays, at, minutes, timezone }: Partial<Planned>) {
  const times = {
    starts_at: from ? momentOf(from) : undefined,
    ends_at: until ? momentOf(until) : undefined,
    weekdays: weekdays
      ? weekdays
          .toLowerCase()
          .split(/[\s,]+/)
          .filter((day) => day !== '')
      : undefined,
    at: at || undefined,
    minutes: minutes ? Number(minutes) : undefined,
    timezone: timezone || undefined,
  };
  return Object.fromEntries(Object.entries(times).filter(([, value]) => value !== undefined));
}

function momentOf(text: string): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/.exec(text.trim()) ?? [];
  return day === undefined ? text : `${day}T${time}:00Z`;
}

async function callOffWindow(context: RequestContext) {
  const incidentId = pathId(context, 'incident_id', what);
  const window = await context.deps.store.findWindowOf(incidentId);
  if (window === null) throw pageNotFound(what);
  await deleteWindow(context.deps, null, window.id, context.by);
  return { to: '/incidents' };
}
