import type { z } from 'zod';
import { monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import { byVisit } from '../../../src/core/audit/audit.ts';
import { heartbeatPath } from '../../../src/core/monitors/calls.ts';
import {
  createMonitor,
  deleteMonitor,
  hurryMonitor,
  updateMonitor,
} from '../../../src/core/monitors/monitors.ts';
import { monitorModel } from '../../../src/core/workspace/uptime/monitor.ts';
import {
  keptMonitor,
  monitorSettingsModel,
  newMonitorModel,
} from '../../../src/core/workspace/uptime/monitor-forms.ts';
import { monitorsModel } from '../../../src/core/workspace/uptime/monitors.ts';
import { inWords, type Visit, wrongInput } from '../../../src/core/workspace/visit.ts';
import { parseValue } from '../../../src/http/api/parse-body.ts';
import { type ActAnswer, act, type Declaration, page, sure } from '../../../src/http/pages/declare.ts';
import {
  deleteMonitorPage,
  heartbeatMadePage,
  monitorForm,
  monitorSettingsPage,
  newMonitorForm,
  newMonitorPage,
} from '../../../src/pages/monitors/forms.ts';
import type { Posted } from '../../../src/pages/parts/form.ts';
import { monitorPage } from '../../../src/pages/uptime/monitor.ts';
import { monitorsPage } from '../../../src/pages/uptime/monitors.ts';
import { pausedFor, pauseForm } from './pause.ts';

const one = '/monitors/{slug}';

export function monitorPages(): Declaration[] {
  return [
    page({ path: '/monitors', model: monitorsModel, view: monitorsPage }),
    page({ path: '/monitors/new', needs: 'member', model: newMonitorModel, view: newMonitorPage }),
    act({ path: '/monitors', needs: 'member', form: newMonitorForm.schema, act: make }),
    page({ path: one, model: monitorModel, view: monitorPage }),
    page({
      path: `${one}/settings`,
      needs: 'member',
      model: monitorSettingsModel,
      view: monitorSettingsPage,
    }),
    act({ path: `${one}/settings`, needs: 'member', form: monitorForm.schema, act: change }),
    page({ path: `${one}/delete`, needs: 'admin', model: monitorSettingsModel, view: deleteMonitorPage }),
    act({ path: `${one}/delete`, needs: 'admin', form: sure, act: remove }),
    act({ path: `${one}/check`, act: look }),
    act({ path: `${one}/pause`, form: pauseForm, act: pause }),
    act({ path: `${one}/resume`, act: resume }),
  ];
}

async function make(
  visit: Visit,
  { target = '', project = '', ...form }: Posted<typeof newMonitorForm>,
): Promise<ActAnswer> {
  // The form sends an interval even for cron jobs.
  const { interval: _interval, ...ofJob } = form;
  const { method, ...others } = form.type === 'cron' ? ofJob : form;
  // The form sends a method even for types without one.
  const own = method === 'GET' ? others : { ...others, method };
  const projectId = projectOf(visit, project);
  const making = async () => {
    const asked = parseValue(monitorRequest, { ...own, ...whereOf(form.type, target) });
    return createMonitor(visit.deps, projectId, asked, byVisit(visit));
  };
  const { monitor, token } = await inWords(making());
  if (token === null) return { to: pathOf(monitor) };
  const { slug, name } = monitor;
  const shown = { slug, name, address: `${visit.apiUrl}${heartbeatPath(token)}` };
  return { status: 200, view: (frame) => heartbeatMadePage(shown, frame) };
}

function projectOf({ projects }: Visit, said: string): number | null {
  if (said === '') return null;
  const project = projects.find(({ id }) => String(id) === said);
  if (project === undefined) throw wrongInput('Choose a project from the list.');
  return project.id;
}

/** A single dash clears a header or body, which the form hides since it may be secret. */
function endedBy(said: string | undefined): string | undefined {
  return said === '-' ? '' : said;
}

/** Empty fields are cleared, except for target, headers and body, which the form does not show in full. */
async function change(visit: Visit, asked: Posted<typeof monitorForm>): Promise<ActAnswer> {
  const { type } = await keptMonitor(visit);
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
    throw wrongInput('Enter a hostname and a record type, for example shop.example MX.');
  }
  return { host, record: record.toUpperCase() };
}

async function changed(visit: Visit, asked: Readonly<Record<string, unknown>>): Promise<ActAnswer> {
  const { id } = await keptMonitor(visit);
  const changing = async () => {
    const read = parseValue(monitorChangeRequest, asked);
    return updateMonitor(visit.deps, null, id, read, byVisit(visit));
  };
  return { to: pathOf((await inWords(changing())).monitor) };
}

/** Checks now, outside the schedule. */
async function look(visit: Visit): Promise<ActAnswer> {
  const { id } = await keptMonitor(visit);
  const monitor = await hurryMonitor(visit.deps, id, byVisit(visit));
  return { to: pathOf(monitor), notice: 'monitor-asked' };
}

async function pause(visit: Visit, form: z.infer<typeof pauseForm>): Promise<ActAnswer> {
  return changed(visit, pausedFor(visit, form));
}

async function resume(visit: Visit): Promise<ActAnswer> {
  return changed(visit, { paused: false });
}

async function remove(visit: Visit): Promise<ActAnswer> {
  const { id } = await keptMonitor(visit);
  await deleteMonitor(visit.deps, null, id, byVisit(visit));
  return { to: '/monitors' };
}

function pathOf({ slug }: { readonly slug: string }): string {
  return `/monitors/${encodeURIComponent(slug)}`;
}
