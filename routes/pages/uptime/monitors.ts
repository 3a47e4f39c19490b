import type { z } from 'zod';
import { monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import { requestSource } from '../../../src/core/audit/audit.ts';
import { heartbeatPath } from '../../../src/core/monitors/heartbeat-calls.ts';
import {
  checkMonitorNow,
  createMonitor,
  deleteMonitor,
  updateMonitor,
} from '../../../src/core/monitors/monitors.ts';
import { monitorModel } from '../../../src/core/page-models/monitoring/monitor.ts';
import {
  getMonitorOfPath,
  monitorSettingsModel,
  newMonitorModel,
} from '../../../src/core/page-models/monitoring/monitor-forms.ts';
import { monitorsModel } from '../../../src/core/page-models/monitoring/monitors.ts';
import {
  invalidPageInput,
  ownerOfNew,
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
  deleteMonitorPage,
  editMonitorForm,
  editMonitorPage,
  newMonitorForm,
  newMonitorPage,
  pushMonitorCreatedPage,
} from '../../../src/web/monitors/forms.ts';
import { monitorPage } from '../../../src/web/uptime/monitor.ts';
import { monitorsPage } from '../../../src/web/uptime/monitors.ts';
import { pauseForm, toPauseChange } from './pause.ts';

const one = '/monitors/{slug}';

export function monitorPages(): Declaration[] {
  return [
    page({ path: '/monitors', model: monitorsModel, view: monitorsPage }),
    page({ path: '/monitors/new', needs: 'member', model: newMonitorModel, view: newMonitorPage }),
    action({ path: '/monitors', needs: 'member', form: newMonitorForm.schema, act: make }),
    page({ path: one, model: monitorModel, view: monitorPage }),
    page({
      path: `${one}/settings`,
      needs: 'member',
      model: monitorSettingsModel,
      view: editMonitorPage,
    }),
    action({ path: `${one}/settings`, needs: 'member', form: editMonitorForm.schema, act: change }),
    page({ path: `${one}/delete`, needs: 'admin', model: monitorSettingsModel, view: deleteMonitorPage }),
    action({ path: `${one}/delete`, needs: 'admin', form: confirmationForm, act: remove }),
    action({ path: `${one}/check`, act: look }),
    action({ path: `${one}/pause`, form: pauseForm, act: pause }),
    action({ path: `${one}/resume`, act: resume }),
  ];
}

async function make(
  visit: RequestContext,
  { target = '', project = '', ...form }: FormValues<typeof newMonitorForm>,
): Promise<ActionResult> {
  // The form sends an interval even for cron jobs.
  const { interval: _interval, ...ofJob } = form;
  const { method, ...others } = form.type === 'cron' ? ofJob : form;
  // The form sends a method even for types without one.
  const own = method === 'GET' ? others : { ...others, method };
  const projectId = ownerOfNew(visit, projectOf(visit, project));
  const making = async () => {
    const asked = parseValue(monitorRequest, { ...own, ...whereOf(form.type, target) });
    return createMonitor(visit.deps, projectId, asked, requestSource(visit));
  };
  const { monitor, token } = await withPageErrors(making());
  if (token === null) return { to: pathOf(monitor) };
  const { slug, name } = monitor;
  const shown = { slug, name, address: `${visit.apiUrl}${heartbeatPath(token)}` };
  return { status: 200, view: (frame) => pushMonitorCreatedPage(shown, frame) };
}

function projectOf({ projects }: RequestContext, said: string): number | null {
  if (said === '') return null;
  const project = projects.find(({ id }) => String(id) === said);
  if (project === undefined) throw invalidPageInput('Choose a project from the list.');
  return project.id;
}

/** A single dash clears a header or body, which the form hides since it may be secret. */
function endedBy(said: string | undefined): string | undefined {
  return said === '-' ? '' : said;
}

/** Empty fields are cleared, except for target, headers and body, which the form does not show in full. */
async function change(
  visit: RequestContext,
  asked: FormValues<typeof editMonitorForm>,
): Promise<ActionResult> {
  const { type } = await getMonitorOfPath(visit);
  const { target = '', tags = '', contains = '', answers = '', group = '', ...more } = asked;
  const { headers, body, ...form } = more;
  const timezone = form.timezone ?? (type === 'cron' ? 'UTC' : '');
  const list = tags.split(',').map((tag) => tag.trim());
  const where = target === '' ? {} : whereOf(type, target);
  const emptied = { contains, answers, group, timezone, tags: list.filter((tag) => tag !== '') };
  return changed(visit, { ...form, ...where, ...emptied, headers: endedBy(headers), body: endedBy(body) });
}

/** A URL, `host:port`, or `name TYPE`. */
function whereOf(type: string, target: string): Record<string, string> {
  if (type === 'tcp' || type === 'tls') return { host: target };
  if (type === 'heartbeat') return {};
  if (type === 'cron') return { schedule: target };
  if (type !== 'dns') return { url: target };
  const [host = '', record = '', ...rest] = target.trim().split(/\s+/);
  if (record === '' || rest.length > 0) {
    throw invalidPageInput('Enter a hostname and a record type, for example shop.example MX.');
  }
  return { host, record: record.toUpperCase() };
}

async function changed(
  visit: RequestContext,
  asked: Readonly<Record<string, unknown>>,
): Promise<ActionResult> {
  const { id } = await getMonitorOfPath(visit);
  const changing = async () => {
    const read = parseValue(monitorChangeRequest, asked);
    return updateMonitor(visit.deps, null, id, read, requestSource(visit));
  };
  return { to: pathOf((await withPageErrors(changing())).monitor) };
}

/** Checks now, outside the schedule. */
async function look(visit: RequestContext): Promise<ActionResult> {
  const { id } = await getMonitorOfPath(visit);
  const monitor = await checkMonitorNow(visit.deps, id, requestSource(visit));
  return { to: pathOf(monitor), notice: 'monitor-asked' };
}

async function pause(visit: RequestContext, form: z.infer<typeof pauseForm>): Promise<ActionResult> {
  return changed(visit, toPauseChange(visit, form));
}

async function resume(visit: RequestContext): Promise<ActionResult> {
  return changed(visit, { paused: false });
}

async function remove(visit: RequestContext): Promise<ActionResult> {
  const { id } = await getMonitorOfPath(visit);
  await deleteMonitor(visit.deps, null, id, requestSource(visit));
  return { to: '/monitors' };
}

function pathOf({ slug }: { readonly slug: string }): string {
  return `/monitors/${encodeURIComponent(slug)}`;
}
