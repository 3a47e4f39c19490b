// The forms that make, change and delete monitors.
import { z } from 'zod';
import { askedTypes, monitorChangeRequest, monitorRequest } from '../../../schemas/monitors.ts';
import type { MonitorSettingsModel, NewMonitorModel } from '../../core/workspace/uptime/monitor-forms.ts';
import { el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { dangerPage, formPage, shownOncePage } from '../parts/asking.ts';
import { choice, choicesOf, form, lines, needed, number, rows, text } from '../parts/form.ts';
import { isCalled, nameOf, told } from '../uptime/words.ts';

const crumb = { name: 'Monitors', path: '/monitors' };
const typeWords = {
  http: 'http: a page of the web',
  keyword: 'keyword: words on a page',
  tcp: 'tcp: a port',
  dns: 'dns: the records of a name',
  tls: 'tls: a certificate',
  heartbeat: 'heartbeat: a job calls',
  cron: 'cron: a job on a schedule checks in',
} as const;
const opening = { true: 'an incident is opened', false: 'no incident is opened' };
const more = 'JSON, redirects and the rest of what an answer must be are set by the API.';
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
const word = z.string().optional();
const sentMax = { attributes: { maxlength: 16_384 } };
const targetMax = { attributes: { maxlength: 2_000 } };

const name = needed('Name', 'A monitor needs a name.', {
  hint: 'As lists and messages say it, such as Front page.',
});
/** How a page is asked, and what it has to answer. */
const question = {
  method: choice('Method', word, {
    hint: 'For pages alone.',
    choices: methods.map((value) => ({ value, name: value })),
  }),
  headers: lines('Headers', { hint: 'For pages alone. Name: value, one a line.', ...sentMax }),
  body: lines('Body', { hint: 'For POST, PUT, PATCH and DELETE.' }),
  contains: text('The page has to say', { hint: 'To the letter. For pages alone.' }),
  answers: lines('The records have to be', {
    hint: 'For dns, one a line, such as 10 mail.shop.example. Left empty, any will do.',
  }),
};
const interval = number('Seconds from one check to the next');
const timezone = text('By the clock of', { hint: 'For cron alone, such as Europe/Berlin. Left empty, UTC.' });
const group = text('Group');

export const newMonitorForm = form(
  {
    name,
    type: choice('What is asked', z.enum(askedTypes, 'Choose what is asked.')),
    target: text('Where', {
      hint: 'Such as https://shop.example/, db.internal:5432 for a port, shop.example MX for records, shop.example for a certificate. For cron when it runs: 30 2 * * *, or 10 minutes. Nothing for a heartbeat: you are shown what calls it.',
      ...targetMax,
    }),
    ...question,
    interval,
    timezone,
    project: choice('Project', word, {
      hint: 'A job of cron needs one: its check-ins come with the key of that project.',
    }),
    group,
  },
  monitorRequest.shape,
);

export const monitorForm = form(
  {
    name,
    target: text('Ask elsewhere', { hint: 'Left empty, it asks what it does.', ...targetMax }),
    ...question,
    status: text('Good statuses', {
      hint: 'Such as 200-299, or 200,302.',
      attributes: { required: true },
    }),
    certificate_days: number('Days that its certificate must last', { hint: '0 is no limit.' }),
    grace: number('Seconds that a call may be late', { hint: 'For heartbeats alone.' }),
    schedule: text('When it runs', {
      hint: 'Such as 30 2 * * *, or 10 minutes. A check-in that says otherwise has the last word.',
      attributes: { required: true },
    }),
    timezone,
    checkin_margin: number('Minutes that a run may begin late'),
    max_runtime: number('Minutes that a run may take'),
    failure_issue_threshold: number('Bad runs in a row until it is down'),
    recovery_threshold: number('Good runs in a row until it is up again'),
    interval,
    timeout: number('Seconds that a check may take'),
    slow_ms: number('Slow from so many milliseconds on', { hint: '0 is no limit.' }),
    confirmations: number('Checks that must agree'),
    opens_incidents: choice('When it goes down', z.stringbool().optional(), {
      choices: choicesOf(opening),
    }),
    group,
    tags: text('Tags', { hint: 'With commas between them.', attributes: { maxlength: 1_000 } }),
  },
  monitorChangeRequest.shape,
);

type MonitorField = keyof typeof monitorForm.fields;

/** What a monitor of a type asks and expects, as far as the form has it. */
const ofPages = ['target', 'method', 'headers', 'body', 'status', 'contains', 'certificate_days'] as const;
const ofChecks = ['interval', 'timeout', 'slow_ms', 'confirmations'] as const;
const ofRuns = ['checkin_margin', 'max_runtime', 'failure_issue_threshold', 'recovery_threshold'] as const;
const ofTypes: Readonly<Record<MonitorSettingsModel['type'], readonly MonitorField[]>> = {
  http: [...ofPages, ...ofChecks],
  keyword: [...ofPages, ...ofChecks],
  tcp: ['target', ...ofChecks],
  dns: ['target', 'answers', ...ofChecks],
  tls: ['target', 'certificate_days', ...ofChecks],
  heartbeat: ['grace', 'interval'],
  cron: ['schedule', 'timezone', ...ofRuns],
};

/** The form that adds a monitor. */
export function newMonitorPage({ types, projects }: NewMonitorModel, frame: Frame): PageContent {
  const ofProjects = projects.map((each) => ({ value: String(each.project_id), name: nameOf(each.name) }));
  const looks = {
    type: { choices: types.map((type) => ({ value: type, name: typeWords[type] })) },
    project: { choices: [{ value: '', name: 'none' }, ...ofProjects] },
  };
  return formPage(frame, {
    title: 'Add a monitor',
    crumbs: [crumb],
    why: 'What is asked is asked within five seconds, and from then on as often as you say. Its state changes when two checks agree.',
    act: '/monitors',
    fields: rows(newMonitorForm, { values: { method: 'GET', interval: 60 }, looks }),
    verb: 'Add the monitor',
  });
}

/** The address of a heartbeat that was just made: nobody sees it again. */
export function heartbeatMadePage(
  { slug, name: called, address }: { readonly slug: string; readonly name: string; readonly address: string },
  frame: Frame,
): PageContent {
  return shownOncePage(frame, {
    title: 'The heartbeat is there',
    crumbs: [crumb],
    why: 'Have the job call this address, by GET or POST, when it is done. It is shown this once; whoever knows it can call.',
    label: 'The address',
    text: address,
    path: `/monitors/${encodeURIComponent(slug)}`,
    name: told(called),
  });
}

/** The form that changes a monitor. */
export function monitorSettingsPage(model: MonitorSettingsModel, frame: Frame): PageContent {
  const waits = isCalled(model);
  const target = el('code', null, told(model.target));
  return formPage(frame, {
    title: 'Change a monitor',
    crumbs: crumbsOf(model),
    why: waits ? ['A job calls it ', target, '.'] : ['It asks ', target, `. ${more}`],
    act: `${pathOf(model)}/settings`,
    fields: rows(monitorForm, {
      values: { ...model, ...model.cron, target: '', tags: model.tags.join(', ') },
      only: ['name', ...ofTypes[model.type], 'opens_incidents', 'group', 'tags'],
      looks: {
        ...secretLooks(model),
        ...(waits ? { interval: { label: 'Seconds from one call to the next' } } : {}),
      },
    }),
    verb: 'Save',
  });
}

/** Headers and body may be secrets: what is there is not shown. */
function secretLooks({ header_names: names, has_body: hasBody }: MonitorSettingsModel) {
  const stays = 'Left empty, what is there stays; a - alone ends it.';
  const ofHeaders = names.length === 0 ? '' : ` There are ${names.join(', ')}.`;
  const isThere = names.length > 0 || hasBody;
  return {
    headers: { hint: `For pages alone. Name: value, one a line.${ofHeaders}${isThere ? ` ${stays}` : ''}` },
    body: { hint: `For POST, PUT, PATCH and DELETE.${hasBody ? ` There is one. ${stays}` : ''}` },
  };
}

/** Asks before a monitor goes. */
export function deleteMonitorPage(model: MonitorSettingsModel, frame: Frame): PageContent {
  return dangerPage(frame, {
    title: 'Delete a monitor',
    crumbs: crumbsOf(model),
    heading: ['Delete ', told(model.name)],
    why: 'All that it measured goes with it.',
    act: `${pathOf(model)}/delete`,
    verb: 'Delete the monitor',
  });
}

function crumbsOf(model: Pick<MonitorSettingsModel, 'slug' | 'name'>) {
  return [crumb, { name: model.name, path: pathOf(model) }];
}

function pathOf({ slug }: Pick<MonitorSettingsModel, 'slug'>): string {
  return `/monitors/${encodeURIComponent(slug)}`;
}
