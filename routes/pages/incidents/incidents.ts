import { z } from 'zod';
import {
  causeKinds,
  type IncidentChangeRequest,
  incidentChangeRequest,
  incidentRequest,
} from '../../../schemas/incidents.ts';
import { requestSource } from '../../../src/core/audit/audit.ts';
import {
  createIncident,
  deleteIncident,
  getIncident,
  updateIncident,
} from '../../../src/core/incidents/incidents.ts';
import { incidentModel } from '../../../src/core/page-models/monitoring/incident.ts';
import { newIncidentModel } from '../../../src/core/page-models/monitoring/incident-form-models.ts';
import { incidentsModel } from '../../../src/core/page-models/monitoring/incidents.ts';
import {
  invalidPageInput,
  ownerOfNew,
  pathId,
  type RequestContext,
  withPageErrors,
} from '../../../src/core/page-models/request-context.ts';
import { parseValue } from '../../../src/http/api/parse-parameters.ts';
import {
  type ActionResult,
  action,
  confirmationForm,
  type Declaration,
  page,
} from '../../../src/http/pages/declarations.ts';
import type { FormValues } from '../../../src/web/components/form.ts';
import {
  deleteIncidentPage,
  newIncidentForm,
  newIncidentPage,
  postMortemForm,
  postMortemPage,
} from '../../../src/web/incidents/forms.ts';
import { incidentPage } from '../../../src/web/uptime/incident.ts';
import { incidentsPage } from '../../../src/web/uptime/incidents.ts';
import { plannedPages } from './planned.ts';

const one = '/incidents/{incident_id}';
const going = ['investigating', 'identified', 'monitoring'] as const;

export function incidentPages(): Declaration[] {
  return [
    page({ path: '/incidents', model: incidentsModel, view: incidentsPage }),
    page({
      path: '/incidents/new',
      needs: 'member',
      model: newIncidentModel,
      view: (model, frame) => newIncidentPage(model, frame),
    }),
    action({
      path: '/incidents',
      needs: 'member',
      form: newIncidentForm.schema,
      act: open,
      async again(visit, entry) {
        const model = await newIncidentModel(visit);
        return (frame) => newIncidentPage(model, frame, entry);
      },
      fieldOf: { monitors: 'monitor', components: 'component' },
    }),
    ...plannedPages(),
    page({ path: one, model: incidentModel, view: incidentPage }),
    page({ path: `${one}/post-mortem`, needs: 'member', model: incidentModel, view: postMortemPage }),
    action({
      path: `${one}/post-mortem`,
      needs: 'member',
      form: postMortemForm.schema,
      act: (visit, { text = '', to }) =>
        change(visit, { post_mortem: text, post_mortem_public: to === 'public' }),
    }),
    page({ path: `${one}/delete`, needs: 'admin', model: incidentModel, view: deleteIncidentPage }),
    action({ path: `${one}/delete`, needs: 'admin', form: confirmationForm, act: remove }),
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
    action({ path: `${one}/acknowledge`, act: acknowledge }),
    action({ path: `${one}/resolve`, act: (visit) => change(visit, { state: 'resolved' }) }),
    action({ path: `${one}/reopen`, act: (visit) => change(visit, { state: 'investigating' }) }),
    action({ path: `${one}/state`, form: moved, act: change }),
    action({
      path: `${one}/updates`,
      form: said,
      act: (visit, { body, to }) => change(visit, { message: body, public: to === 'public' }),
    }),
    action({ path: `${one}/causes`, form: answered, act: answer }),
  ];
}

async function open(
  visit: RequestContext,
  { monitor, component, ...form }: FormValues<typeof newIncidentForm>,
): Promise<ActionResult> {
  const asked = parseValue(incidentRequest, {
    ...form,
    ...(monitor ? { monitors: [monitor] } : {}),
    ...(component ? { components: [component] } : {}),
  });
  return {
    to: pathOf(await createIncident(visit.deps, ownerOfNew(visit, null), asked, requestSource(visit))),
  };
}

/** The user becomes the assignee if there is none. */
async function acknowledge(visit: RequestContext): Promise<ActionResult> {
  const { lead } = await getIncident(visit.deps, null, numberOf(visit));
  return change(visit, { acknowledged: true, ...(lead === null ? { lead: visit.visitor.name } : {}) });
}

/** `cause` is like `issue-7`. */
async function answer(
  visit: RequestContext,
  { cause, answer: said }: { readonly cause: string; readonly answer: 'link' | 'drop' },
): Promise<ActionResult> {
  const [word, number] = cause.split('-');
  const kind = causeKinds.find((each) => each === word);
  const id = Number(number);
  if (kind === undefined || !Number.isSafeInteger(id) || id < 1) throw invalidPageInput('Choose a cause.');
  return change(visit, said === 'link' ? { link: { kind, id } } : { dismiss: { kind, id } });
}

async function change(visit: RequestContext, asked: IncidentChangeRequest): Promise<ActionResult> {
  const id = numberOf(visit);
  const changing = async () => {
    const read = parseValue(incidentChangeRequest, asked);
    return updateIncident(visit.deps, null, id, read, requestSource(visit));
  };
  return { to: pathOf(await withPageErrors(changing())) };
}

async function remove(visit: RequestContext): Promise<ActionResult> {
  await deleteIncident(visit.deps, null, numberOf(visit), requestSource(visit));
  return { to: '/incidents' };
}

function numberOf(visit: RequestContext): number {
  return pathId(visit, 'incident_id', 'An incident with this number');
}

function pathOf({ id }: { readonly id: number }): string {
  return `/incidents/${id}`;
}
