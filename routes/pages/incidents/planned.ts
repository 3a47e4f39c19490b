// Planned maintenance, managed through the pages of its incident.
import { windowChangeRequest, windowRequest } from '../../../schemas/maintenance-windows.ts';
import { byVisit } from '../../../src/core/audit/audit.ts';
import { createWindow, deleteWindow, updateWindow } from '../../../src/core/monitors/windows/windows.ts';
import { type IncidentModel, incidentModel } from '../../../src/core/workspace/uptime/incident.ts';
import {
  keptWork,
  newWorkModel,
  type WorkModel,
  workModel,
} from '../../../src/core/workspace/uptime/incident-forms.ts';
import { inWords, notHere, pathNumber, type Visit, wrongInput } from '../../../src/core/workspace/visit.ts';
import { parseValue } from '../../../src/http/api/parse-body.ts';
import { type ActAnswer, act, type Declaration, page, sure } from '../../../src/http/pages/declare.ts';
import {
  callOffPage,
  changeWorkPage,
  planForm,
  planWorkPage,
} from '../../../src/pages/incidents/work-forms.ts';
import type { Posted } from '../../../src/pages/parts/form.ts';

const what = 'Maintenance with this number';
const one = '/incidents/{incident_id}';
type Planned = Posted<typeof planForm>;

export function plannedPages(): Declaration[] {
  return [
    page({ path: '/incidents/plan', needs: 'member', model: newWorkModel, view: planWorkPage }),
    act({ path: '/incidents/plan', needs: 'member', form: planForm.schema, act: plan }),
    page({ path: `${one}/plan`, needs: 'member', model: workModel, view: changeWorkPage }),
    act({ path: `${one}/plan`, needs: 'member', form: planForm.schema, act: change }),
    page({ path: `${one}/call-off`, needs: 'member', model: calledOffModel, view: callOffPage }),
    act({ path: `${one}/call-off`, needs: 'member', form: sure, act: remove }),
  ];
}

async function calledOffModel(visit: Visit): Promise<IncidentModel> {
  const model = await incidentModel(visit);
  if (model.severity !== 'planned' || model.is_over) throw notHere(what);
  return model;
}

async function plan(visit: Visit, form: Planned): Promise<ActAnswer> {
  const planning = async () => {
    const { title, message, covers } = form;
    const asked = parseValue(windowRequest, { title, message, ...coverageOf(covers), ...timesOf(form) });
    return createWindow(visit.deps, null, asked, byVisit(visit));
  };
  const { incidentId } = await inWords(planning());
  return { to: incidentId === null ? '/incidents' : `/incidents/${incidentId}` };
}

async function change(visit: Visit, form: Planned): Promise<ActAnswer> {
  const { id } = await keptWork(visit);
  const times = changedTimes(await workModel(visit), form);
  const changing = async () => {
    const { title, message = '', covers } = form;
    const about = covers === 'same' ? {} : { ...nothing, ...coverageOf(covers) };
    const asked = parseValue(windowChangeRequest, { title, message, ...about, ...times });
    return updateWindow(visit.deps, null, id, asked, byVisit(visit));
  };
  const { incidentId } = await inWords(changing());
  return { to: incidentId === null ? '/incidents' : `/incidents/${incidentId}` };
}

const nothing = { all: false, monitors: [], group: '', tag: '' };

/** Only changed fields of a single window are sent, since the form shows times without seconds. */
function changedTimes(before: WorkModel, form: Planned): Record<string, unknown> {
  const isSaid = (text = ''): boolean => text.trim() !== '';
  if (isSaid(form.weekdays)) return timesOf(form);
  if (!isSaid(form.from) && !isSaid(form.until)) {
    throw wrongInput('Enter when it ends, or choose weekdays.');
  }
  const names = ['from', 'until', 'at', 'minutes', 'timezone'] as const;
  const changed = names.filter((name) => form[name] !== before[name]);
  return timesOf(Object.fromEntries(changed.map((name) => [name, form[name]])));
}

/** `all`, `group:Shop`, `tag:eu` or `monitor:7`. */
function coverageOf(word: string): Record<string, unknown> {
  if (word === 'all') return { all: true };
  const [, kind = '', value = ''] = /^(group|tag|monitor):(.+)$/.exec(word) ?? [];
  if (kind === '') throw wrongInput('Choose the affected monitors.');
  return kind === 'monitor' ? { monitors: [Number(value)] } : { [kind]: value };
}

/** Empty fields are omitted; dates are UTC. */
function timesOf({
  from,
  until,
  weekdays,
  at,
  minutes,
  timezone,
}: Partial<Planned>): Record<string, unknown> {
  const said = {
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
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

function momentOf(text: string): string {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/.exec(text.trim()) ?? [];
  return day === undefined ? text : `${day}T${time}:00Z`;
}

async function remove(visit: Visit): Promise<ActAnswer> {
  const incidentId = pathNumber(visit, 'incident_id', what);
  const window = await visit.deps.store.findWindowOf(incidentId);
  if (window === null) throw notHere(what);
  await deleteWindow(visit.deps, null, window.id, byVisit(visit));
  return { to: '/incidents' };
}
