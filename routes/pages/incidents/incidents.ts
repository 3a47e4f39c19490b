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
    page({ path: '/incidents/new', needs: 'member', model: newIncidentModel, view: newIncidentPage }),
    action({
      path: '/incidents',
      needs: 'member',
      form: newIncidentForm.schema,
      act: open,
      again: { model: newIncidentModel, view: newIncidentPage },
      fieldOf: { monitors: 'monitor', components: 'component' },
    }),
    ...plannedPages(),
    page({ path: one, model: incidentModel, view: incidentPage }),
    page({ path: `${one}/post-mortem`, needs: 'member', model: incidentModel, view: postMortemPage }),
    action({
      path: `${one}/post-mortem`,
      needs: 'member',
      form: postMortemForm.schema,
      act: (context, { text = '', to }) =>
        change(context, { post_mortem: text, post_mortem_public: to === 'public' }),
      again: { model: incidentModel, view: postMortemPage },
      fieldOf: { post_mortem: 'text' },
    }),
    page({ path: `${one}/delete`, needs: 'admin', model: incidentModel, view: deleteIncidentPage }),
    action({ path: `${one}/delete`, needs: 'admin', form: confirmationForm, act: remove }),
    ...incidentActs(),
  ];
}

function incidentActs(): Declaration[] {
  const moved = z.object({ state: z.enum(going, 'Choose a state.') });
  const updateForm = z.object({
    body: z.string('Enter an update.'),
    to: z.enum(['team', 'public'], 'Choose who can see it.'),
  });
  const answered = z.object({
    cause: z.string('Choose a cause.'),
    answer: z.enum(['link', 'drop'], 'Choose whether to link or dismiss it.'),
  });
  return [
    action({ path: `${one}/acknowledge`, act: acknowledge }),
    action({ path: `${one}/resolve`, act: (context) => change(context, { state: 'resolved' }) }),
    action({ path: `${one}/reopen`, act: (context) => change(context, { state: 'investigating' }) }),
    action({ path: `${one}/state`, form: moved, act: change }),
    action({
      path: `${one}/updates`,
      form: updateForm,
      act: (context, { body, to }) => change(context, { message: body, public: to === 'public' }),
      again: { model: incidentModel, view: incidentPage },
      fieldOf: { message: 'body' },
    }),
    action({ path: `${one}/causes`, form: answered, act: answer }),
  ];
}

async function open(
  context: RequestContext,
  { monitor, component, ...form }: FormValues<typeof newIncidentForm>,
): Promise<ActionResult> {
  const input = parseValue(incidentRequest, {
    ...form,
    ...(monitor ? { monitors: [monitor] } : {}),
    ...(component ? { components: [component] } : {}),
  });
  return {
    to: pathOf(await createIncident(context.deps, ownerOfNew(context, null), input, requestSource(context))),
  };
}

/** The user becomes the assignee if there is none. */
async function acknowledge(context: RequestContext): Promise<ActionResult> {
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
): Promise<ActionResult> {
  const [word, number] = cause.split('-');
  const kind = causeKinds.find((each) => each === word);
  const id = Number(number);
  if (kind === undefined || !Number.isSafeInteger(id) || id < 1) throw invalidPageInput('Choose a cause.');
  return change(context, choice === 'link' ? { link: { kind, id } } : { dismiss: { kind, id } });
}

async function change(context: RequestContext, changes: IncidentChangeRequest): Promise<ActionResult> {
  const id = numberOf(context);
  const read = parseValue(incidentChangeRequest, changes);
  return { to: pathOf(await updateIncident(context.deps, null, id, read, requestSource(context))) };
}

async function remove(context: RequestContext): Promise<ActionResult> {
  await deleteIncident(context.deps, null, numberOf(context), requestSource(context));
  return { to: '/incidents' };
}

function numberOf(context: RequestContext): number {
  return pathId(context, 'incident_id', 'An incident with this number');
}

function pathOf({ id }: { readonly id: number }): string {
  return `/incidents/${id}`;
}
