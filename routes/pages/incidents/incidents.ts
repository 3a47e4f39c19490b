import { z } from 'zod';
import {
  causeKinds,
  type IncidentChangeRequest,
  incidentChangeRequest,
  incidentRequest,
} from '../../../schemas/incidents.ts';
import { byVisit } from '../../../src/core/audit/audit.ts';
import {
  createIncident,
  deleteIncident,
  getIncident,
  updateIncident,
} from '../../../src/core/incidents/incidents.ts';
import { incidentModel } from '../../../src/core/workspace/uptime/incident.ts';
import { newIncidentModel } from '../../../src/core/workspace/uptime/incident-forms.ts';
import { incidentsModel } from '../../../src/core/workspace/uptime/incidents.ts';
import { inWords, pathNumber, type Visit, wrongInput } from '../../../src/core/workspace/visit.ts';
import { parseValue } from '../../../src/http/api/parse-body.ts';
import { type ActAnswer, act, type Declaration, page, sure } from '../../../src/http/pages/declare.ts';
import {
  deleteIncidentPage,
  newIncidentForm,
  newIncidentPage,
  postMortemForm,
  postMortemPage,
} from '../../../src/pages/incidents/forms.ts';
import type { Posted } from '../../../src/pages/parts/form.ts';
import { incidentPage } from '../../../src/pages/uptime/incident.ts';
import { incidentsPage } from '../../../src/pages/uptime/incidents.ts';
import { plannedPages } from './planned.ts';

const one = '/incidents/{incident_id}';
const going = ['investigating', 'identified', 'monitoring'] as const;

export function incidentPages(): Declaration[] {
  return [
    page({ path: '/incidents', model: incidentsModel, view: incidentsPage }),
    page({ path: '/incidents/new', needs: 'member', model: newIncidentModel, view: newIncidentPage }),
    act({ path: '/incidents', needs: 'member', form: newIncidentForm.schema, act: open }),
    ...plannedPages(),
    page({ path: one, model: incidentModel, view: incidentPage }),
    page({ path: `${one}/post-mortem`, needs: 'member', model: incidentModel, view: postMortemPage }),
    act({
      path: `${one}/post-mortem`,
      needs: 'member',
      form: postMortemForm.schema,
      act: (visit, { text = '', to }) =>
        change(visit, { post_mortem: text, post_mortem_public: to === 'public' }),
    }),
    page({ path: `${one}/delete`, needs: 'admin', model: incidentModel, view: deleteIncidentPage }),
    act({ path: `${one}/delete`, needs: 'admin', form: sure, act: remove }),
    ...incidentActs(),
  ];
}

function incidentActs(): Declaration[] {
  const moved = z.object({ state: z.enum(going, 'Choose a state.') });
  const said = z.object({
    body: z.string('Enter an update.'),
    to: z.enum(['team', 'public'], 'Choose who can see it.'),
  });
  const answered = z.object({
    cause: z.string('Choose a cause.'),
    answer: z.enum(['link', 'drop'], 'Choose whether to link or dismiss it.'),
  });
  return [
    act({ path: `${one}/acknowledge`, act: acknowledge }),
    act({ path: `${one}/resolve`, act: (visit) => change(visit, { state: 'resolved' }) }),
    act({ path: `${one}/reopen`, act: (visit) => change(visit, { state: 'investigating' }) }),
    act({ path: `${one}/state`, form: moved, act: change }),
    act({
      path: `${one}/updates`,
      form: said,
      act: (visit, { body, to }) => change(visit, { message: body, public: to === 'public' }),
    }),
    act({ path: `${one}/causes`, form: answered, act: answer }),
  ];
}

async function open(
  visit: Visit,
  { monitor, component, ...form }: Posted<typeof newIncidentForm>,
): Promise<ActAnswer> {
  const opening = async () => {
    const asked = parseValue(incidentRequest, {
      ...form,
      ...(monitor ? { monitors: [monitor] } : {}),
      ...(component ? { components: [component] } : {}),
    });
    return createIncident(visit.deps, null, asked, byVisit(visit));
  };
  return { to: pathOf(await inWords(opening())) };
}

/** The user becomes the assignee if there is none. */
async function acknowledge(visit: Visit): Promise<ActAnswer> {
  const { lead } = await getIncident(visit.deps, null, numberOf(visit));
  return change(visit, { acknowledged: true, ...(lead === null ? { lead: visit.visitor.name } : {}) });
}

/** `cause` is like `issue-7`. */
async function answer(
  visit: Visit,
  { cause, answer: said }: { readonly cause: string; readonly answer: 'link' | 'drop' },
): Promise<ActAnswer> {
  const [word, number] = cause.split('-');
  const kind = causeKinds.find((each) => each === word);
  const id = Number(number);
  if (kind === undefined || !Number.isSafeInteger(id) || id < 1) throw wrongInput('Choose a cause.');
  return change(visit, said === 'link' ? { link: { kind, id } } : { dismiss: { kind, id } });
}

async function change(visit: Visit, asked: IncidentChangeRequest): Promise<ActAnswer> {
  const id = numberOf(visit);
  const changing = async () => {
    const read = parseValue(incidentChangeRequest, asked);
    return updateIncident(visit.deps, null, id, read, byVisit(visit));
  };
  return { to: pathOf(await inWords(changing())) };
}

async function remove(visit: Visit): Promise<ActAnswer> {
  await deleteIncident(visit.deps, null, numberOf(visit), byVisit(visit));
  return { to: '/incidents' };
}

function numberOf(visit: Visit): number {
  return pathNumber(visit, 'incident_id', 'An incident with this number');
}

function pathOf({ id }: { readonly id: number }): string {
  return `/incidents/${id}`;
}
