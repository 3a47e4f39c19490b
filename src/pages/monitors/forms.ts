// The forms that make, change and delete monitors.
import type { MonitorSettingsModel, NewMonitorModel } from '../../core/workspace/uptime/monitor-forms.ts';
import { type Content, el } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { askingPart, dangerPart } from '../parts/asking.ts';
import { choiceField, field } from '../parts/controls.ts';
import { pageHead } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { isCalled, told } from '../uptime/words.ts';
import { number, ofJob, project, timezone } from './job-fields.ts';

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
const opening = [
  { value: 'true', name: 'an incident is opened' },
  { value: 'false', name: 'no incident is opened' },
] as const;
const more = 'JSON, redirects and the rest of what an answer must be are set by the API.';
const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

function name(value: string): Content {
  return field(
    { id: 'name', label: 'Name', hint: 'As lists and messages say it, such as Front page.' },
    { name: 'name', value, required: true, maxlength: 100, autocomplete: 'off' },
  );
}

interface Lines {
  readonly id: string;
  readonly label: string;
  readonly hint: string;
}

function lines({ id, label, hint }: Lines, value: string, charactersMax: number): Content {
  const attributes = { id, name: id, rows: 2, maxlength: charactersMax, 'aria-describedby': `${id}-hint` };
  return el(
    'div',
    { class: 'field' },
    el('label', { for: id }, label),
    el('textarea', attributes, value),
    el('p', { class: 'hint', id: `${id}-hint` }, hint),
  );
}

function answers(value: string): Content {
  const hint = 'For dns, one a line, such as 10 mail.shop.example. Left empty, any will do.';
  return lines({ id: 'answers', label: 'The records have to be', hint }, value, 2_000);
}

/** How a page is asked. Headers and body may be secrets: what is there is not shown. */
function request(
  method: string,
  there: { readonly headers: readonly string[]; readonly hasBody: boolean },
): Content[] {
  const names = there.headers.length === 0 ? '' : ` There are ${there.headers.join(', ')}.`;
  const stays = 'Left empty, what is there stays; a - alone ends it.';
  const isThere = names !== '' || there.hasBody;
  const ofHeaders = `For pages alone. Name: value, one a line.${names}${isThere ? ` ${stays}` : ''}`;
  const ofBody = `For POST, PUT, PATCH and DELETE.${there.hasBody ? ` There is one. ${stays}` : ''}`;
  const choices = methods.map((value) => ({ value, name: value }));
  return [
    choiceField({ id: 'method', label: 'Method', hint: 'For pages alone.' }, choices, method),
    lines({ id: 'headers', label: 'Headers', hint: ofHeaders }, '', 16_384),
    lines({ id: 'body', label: 'Body', hint: ofBody }, '', 65_536),
  ];
}

function grace(value: number): Content {
  return number(
    { id: 'grace', label: 'Seconds that a call may be late', hint: 'For heartbeats alone.' },
    value,
    [0, 86_400],
  );
}

function days(value: number): Content {
  return number(
    { id: 'certificate_days', label: 'Days that its certificate must last', hint: '0 is no limit.' },
    value,
    [0, 365],
  );
}

function words(value: string): Content {
  return field(
    { id: 'contains', label: 'The page has to say', hint: 'To the letter. For pages alone.' },
    { name: 'contains', value, maxlength: 500, autocomplete: 'off' },
  );
}

function group(value: string): Content {
  return field({ id: 'group', label: 'Group' }, { name: 'group', value, maxlength: 50 });
}

/** The form that adds a monitor. */
export function newMonitorPage({ types, projects }: NewMonitorModel, frame: Frame): PageContent {
  const choices = types.map((type) => ({ value: type, name: typeWords[type] }));
  return {
    title: 'Add a monitor',
    crumbs: [crumb],
    main: askingPart(
      frame,
      {
        id: 'd-monitor',
        path: '/monitors/new',
        title: 'Add a monitor',
        why: 'What is asked is asked within five seconds, and from then on as often as you say. Its state changes when two checks agree.',
        act: '/monitors',
        fields: [
          name(''),
          choiceField({ id: 'type', label: 'What is asked' }, choices),
          field(
            {
              id: 'target',
              label: 'Where',
              hint: 'Such as https://shop.example/, db.internal:5432 for a port, shop.example MX for records, shop.example for a certificate. For cron when it runs: 30 2 * * *, or 10 minutes. Nothing for a heartbeat: you are shown what calls it.',
            },
            { name: 'target', maxlength: 2_000, autocomplete: 'off' },
          ),
          ...request('GET', { headers: [], hasBody: false }),
          words(''),
          answers(''),
          interval(60),
          timezone(''),
          project(projects),
          group(''),
        ],
        verb: 'Add the monitor',
      },
      { from: '/monitors' },
    ),
  };
}

/** The address of a heartbeat that was just made: nobody sees it again. */
export function heartbeatMadePage(
  { slug, name: called, address }: { readonly slug: string; readonly name: string; readonly address: string },
  frame: Frame,
): PageContent {
  return {
    title: 'The heartbeat is there',
    crumbs: [crumb],
    main: el(
      'div',
      { class: 'narrow' },
      pageHead({ title: 'The heartbeat is there' }),
      el(
        'p',
        null,
        'Have the job call this address, by GET or POST, when it is done. It is shown this once; whoever knows it can call.',
      ),
      el(
        'pre',
        { class: 'snip', tabindex: 0, role: 'group', 'aria-label': 'The address' },
        el('code', null, address),
      ),
      el(
        'p',
        null,
        pageLink(
          frame,
          { path: `/monitors/${encodeURIComponent(slug)}` },
          { class: 'btn primary' },
          told(called),
        ),
      ),
    ),
  };
}

function whenDown(opens: boolean): Content {
  return choiceField({ id: 'opens_incidents', label: 'When it goes down' }, opening, String(opens));
}

/** The form that changes a monitor. */
export function monitorSettingsPage(model: MonitorSettingsModel, frame: Frame): PageContent {
  const waits = isCalled(model);
  const path = `/monitors/${encodeURIComponent(model.slug)}`;
  return {
    title: 'Change a monitor',
    crumbs: [crumb, { name: model.name, path }],
    main: askingPart(
      frame,
      {
        id: 'd-settings',
        path: `${path}/settings`,
        title: 'Change a monitor',
        why: waits
          ? ['A job calls it ', el('code', null, told(model.target)), '.']
          : ['It asks ', el('code', null, told(model.target)), `. ${more}`],
        act: `${path}/settings`,
        fields: [
          name(model.name),
          ...ofType(model),
          ...(model.type === 'cron' ? [] : [interval(model.interval, waits ? 'call' : 'check')]),
          ...(waits ? [] : ofQuestions(model)),
          whenDown(model.opens_incidents),
          group(model.group),
          field(
            { id: 'tags', label: 'Tags', hint: 'With commas between them.' },
            { name: 'tags', value: model.tags.join(', '), maxlength: 1_000 },
          ),
        ],
        verb: 'Save',
      },
      { from: path },
    ),
  };
}

function interval(value: number, what = 'check'): Content {
  return number({ id: 'interval', label: `Seconds from one ${what} to the next` }, value, [10, 86_400]);
}

/** How long what is asked may take. */
function ofQuestions(model: MonitorSettingsModel): readonly Content[] {
  return [
    number({ id: 'timeout', label: 'Seconds that a check may take' }, model.timeout, [1, 30]),
    number(
      { id: 'slow_ms', label: 'Slow from so many milliseconds on', hint: '0 is no limit.' },
      model.slow_ms,
      [0, 30_000],
    ),
    number({ id: 'confirmations', label: 'Checks that must agree' }, model.confirmations, [1, 10]),
  ];
}

/** What a monitor of its type asks, and expects. */
function ofType(model: MonitorSettingsModel): readonly Content[] {
  if (model.type === 'heartbeat') return [grace(model.grace)];
  if (model.cron !== null) return ofJob(model.cron);
  const elsewhere = field(
    { id: 'target', label: 'Ask elsewhere', hint: 'Left empty, it asks what it does.' },
    { name: 'target', maxlength: 2_000, autocomplete: 'off' },
  );
  if (model.type === 'tcp') return [elsewhere];
  if (model.type === 'dns') return [elsewhere, answers(model.answers)];
  if (model.type === 'tls') return [elsewhere, days(model.certificate_days)];
  return [
    elsewhere,
    ...request(model.method, { headers: model.header_names, hasBody: model.has_body }),
    field(
      { id: 'status', label: 'Good statuses', hint: 'Such as 200-299, or 200,302.' },
      { name: 'status', value: model.status, required: true, maxlength: 200 },
    ),
    words(model.contains),
    days(model.certificate_days),
  ];
}

/** Asks before a monitor goes. */
export function deleteMonitorPage(model: MonitorSettingsModel, frame: Frame): PageContent {
  const path = `/monitors/${encodeURIComponent(model.slug)}`;
  return {
    title: 'Delete a monitor',
    crumbs: [crumb, { name: model.name, path }],
    main: dangerPart(
      frame,
      {
        id: 'd-delete',
        path: `${path}/delete`,
        title: ['Delete ', told(model.name)],
        why: 'All that it measured goes with it.',
        verb: 'Delete the monitor',
      },
      path,
    ),
  };
}
