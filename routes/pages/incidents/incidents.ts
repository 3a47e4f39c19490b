// /incidents: what went wrong, how far it is, what was said, what led to it, and acts on it.
import { z } from 'zod';
import {
  causeKinds,
  type IncidentChangeRequest,
  incidentChangeRequest,
  incidentRequest,
  incidentSeverities,
} from '../../../schemas/incidents.ts';
import { actAudited, byVisit } from '../../../src/core/audit/audit.ts';
import { actionOf, toldOfIncident } from '../../../src/core/audit/told-incidents.ts';
import {
  changeIncident,
  deleteIncident,
  getIncident,
  openIncident,
} from '../../../src/core/incidents/incidents.ts';
import { incidentModel } from '../../../src/core/workspace/uptime/incident.ts';
import { newIncidentModel } from '../../../src/core/workspace/uptime/incident-forms.ts';
import { incidentsModel } from '../../../src/core/workspace/uptime/incidents.ts';
import { inWords, pathNumber, type Visit, wrongInput } from '../../../src/core/workspace/visit.ts';
import { parseValue } from '../../../src/http/api/parse-body.ts';
import { type ActAnswer, act, type Declaration, page } from '../../../src/http/pages/declare.ts';
import { deleteIncidentPage, newIncidentPage, postMortemPage } from '../../../src/pages/incidents/forms.ts';
import { incidentPage } from '../../../src/pages/uptime/incident.ts';
import { incidentsPage } from '../../../src/pages/uptime/incidents.ts';
import { plannedPages } from './planned.ts';

const one = '/incidents/{incident_id}';
const nothing = z.object({});
const sure = z.object({ sure: z.literal('yes', 'Say that you are sure.') });
const going = ['investigating', 'identified', 'monitoring'] as const;

/** Pages of incidents, and acts on them. */
export function incidentPages(): Declaration[] {
  return [
    page({ path: '/incidents', model: incidentsModel, view: incidentsPage }),
    page({ path: '/incidents/new', needs: 'member', model: newIncidentModel, view: newIncidentPage }),
    ...plannedPages(),
    page({ path: one, model: incidentModel, view: incidentPage }),
    page({ path: `${one}/post-mortem`, needs: 'member', model: incidentModel, view: postMortemPage }),
    page({ path: `${one}/delete`, needs: 'admin', model: incidentModel, view: deleteIncidentPage }),
    ...incidentActs(),
  ];
}

function incidentActs(): Declaration[] {
  const opened = z.object({
    title: z.string('Say what is wrong.'),
    severity: z.enum(incidentSeverities, 'Say how bad it is.'),
    monitor: z.coerce.number('Choose a monitor.').optional(),
    component: z.coerce.number('Choose a component.').optional(),
    message: z.string().optional(),
  });
  const moved = z.object({ state: z.enum(going, 'Choose how far it is.') });
  const said = z.object({
    body: z.string('Say what is known.'),
    to: z.enum(['team', 'public'], 'Say who sees it.'),
  });
  const learnt = z.object({
    text: z.string().optional(),
    to: z.enum(['team', 'public'], 'Say who may read it.'),
  });
  const answered = z.object({
    cause: z.string('Say which cause.'),
    answer: z.enum(['link', 'drop'], 'Say whether it led to it.'),
  });
  return [
    act({ path: '/incidents', needs: 'member', form: opened, act: open }),
    act({ path: `${one}/acknowledge`, needs: 'member', form: nothing, act: acknowledge }),
    act({
      path: `${one}/resolve`,
      needs: 'member',
      form: nothing,
      act: (visit) => change(visit, { state: 'resolved' }),
    }),
    act({
      path: `${one}/reopen`,
      needs: 'member',
      form: nothing,
      act: (visit) => change(visit, { state: 'investigating' }),
    }),
    act({ path: `${one}/state`, needs: 'member', form: moved, act: change }),
    act({
      path: `${one}/updates`,
      needs: 'member',
      form: said,
      act: (visit, { body, to }) => change(visit, { message: body, public: to === 'public' }),
    }),
    act({ path: `${one}/causes`, needs: 'member', form: answered, act: answer }),
    act({
      path: `${one}/post-mortem`,
      needs: 'member',
      form: learnt,
      act: (visit, { text = '', to }) =>
        change(visit, { post_mortem: text, post_mortem_public: to === 'public' }),
    }),
    act({ path: `${one}/delete`, needs: 'admin', form: sure, act: remove }),
  ];
}

interface Opened {
  readonly title: string;
  readonly severity: (typeof incidentSeverities)[number];
  readonly monitor?: number | undefined;
  readonly component?: number | undefined;
  readonly message?: string | undefined;
}

async function open(visit: Visit, { monitor, component, ...form }: Opened): Promise<ActAnswer> {
  const opening = async () => {
    const asked = parseValue(incidentRequest, {
      ...form,
      ...(monitor ? { monitors: [monitor] } : {}),
      ...(component ? { components: [component] } : {}),
    });
    return actAudited(visit.deps, byVisit(visit), async (parts) => {
      const result = await openIncident(parts, null, asked, visit.visitor.name);
      return { result, told: toldOfIncident(result, 'incident.opened') };
    });
  };
  return { to: pathOf(await inWords(opening())) };
}

/** Who says so leads it, where nobody does. */
async function acknowledge(visit: Visit): Promise<ActAnswer> {
  const { lead } = await getIncident(visit.deps, null, numberOf(visit));
  return change(visit, { acknowledged: true, ...(lead === null ? { lead: visit.visitor.name } : {}) });
}

/** What is linked, or set aside, by the word that its form has for it: `issue-7`. */
async function answer(
  visit: Visit,
  { cause, answer: said }: { readonly cause: string; readonly answer: 'link' | 'drop' },
): Promise<ActAnswer> {
  const [word, number] = cause.split('-');
  const kind = causeKinds.find((each) => each === word);
  const id = Number(number);
  if (kind === undefined || !Number.isSafeInteger(id) || id < 1) throw wrongInput('Say which cause.');
  return change(visit, said === 'link' ? { link: { kind, id } } : { dismiss: { kind, id } });
}

async function change(visit: Visit, asked: IncidentChangeRequest): Promise<ActAnswer> {
  const id = numberOf(visit);
  const changing = async () => {
    const read = parseValue(incidentChangeRequest, asked);
    return actAudited(visit.deps, byVisit(visit), async (parts) => {
      const result = await changeIncident(parts, null, id, read, visit.visitor.name);
      return { result, told: toldOfIncident(result, actionOf(read)) };
    });
  };
  return { to: pathOf(await inWords(changing())) };
}

async function remove(visit: Visit): Promise<ActAnswer> {
  const id = numberOf(visit);
  await actAudited(visit.deps, byVisit(visit), async (parts) => {
    const result = await deleteIncident(parts, null, id);
    return { result, told: toldOfIncident(result, 'incident.deleted') };
  });
  return { to: '/incidents' };
}

function numberOf(visit: Visit): number {
  return pathNumber(visit, 'incident_id', 'An incident of this number');
}

function pathOf({ id }: { readonly id: number }): string {
  return `/incidents/${id}`;
}
