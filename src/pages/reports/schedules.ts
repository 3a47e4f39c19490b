import type { VNode } from 'preact';
import { z } from 'zod';
import type { SchedulesModel, ScheduleView } from '../../core/workspace/reports/schedules.ts';
import { type Content, el, html } from '../el.ts';
import type { Frame, PageContent } from '../frame.ts';
import { actForm, submit } from '../parts/controls.ts';
import { choice, choicesOf, form, needed, rows } from '../parts/form.ts';
import { empty, hidden, pageHead, section } from '../parts/layout.ts';
import { pageLink } from '../parts/link.ts';
import { rowHead, tableOf } from '../parts/table.ts';
import { fullTime } from '../parts/time.ts';
import { nameOf, told } from '../uptime/words.ts';

const path = '/reports/schedules';
const why = 'A summary of each week or month by e-mail on the following morning, with highlights and a link.';

export const scheduleForm = form({
  channel: choice('Channel', z.coerce.number('Choose a channel.')),
  kind: choice('Frequency', z.enum(['week', 'month'], 'Choose a frequency.'), {
    choices: choicesOf({ week: 'Weekly', month: 'Monthly' }),
  }),
  at: {
    ...needed('Time', '', {
      hint: 'On Monday, or on the first of the month, for example 08:00.',
      attributes: { pattern: '([01][0-9]|2[0-3]):[0-5][0-9]', maxlength: 5 },
    }),
    schema: z.string('Enter a time.').regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 08:00.'),
  },
  timezone: needed('Time zone', 'Enter a time zone.', {
    hint: 'For example Europe/Berlin. Weeks and months are counted in UTC; the report is sent after they end.',
    attributes: { maxlength: 64 },
  }),
});

export function schedulesPage(model: SchedulesModel, frame: Frame): PageContent {
  const mayChange = frame.visitor?.canManage === true;
  return {
    title: 'Reports by e-mail',
    crumbs: [{ name: 'Reports', path: '/reports' }],
    main: [
      pageHead({ title: 'Reports by e-mail' }),
      html`<p class="lede">${why}</p>`,
      el(
        'div',
        { class: 'sec' },
        model.schedules.length === 0
          ? empty('No reports are sent by e-mail', 'Members can read them here.')
          : table(model.schedules, frame, mayChange),
      ),
      mayChange ? adding(model, frame) : html`<p class="soft sec">Only an admin can change this.</p>`,
    ],
  };
}

function table(rows: readonly ScheduleView[], frame: Frame, mayChange: boolean): VNode {
  const stop = (id: number): Content =>
    actForm(frame, `${path}/${id}/stop`, null, submit('Stop', { class: 'btn small' }));
  return tableOf<ScheduleView>(frame, {
    caption: 'Channels that receive reports',
    columns: [
      {
        name: 'Channel',
        row: ({ channel_id: id, channel }) =>
          rowHead(pageLink(frame, { path: `/alert-channels/${id}` }, null, told(channel))),
      },
      {
        name: 'Frequency',
        class: 'd2',
        cell: ({ kind, project }) => [`Each ${kind}, `, project === null ? 'all projects' : told(project)],
      },
      { name: 'Time', class: 'd3', cell: ({ at, timezone }) => `${at} ${timezone}` },
      { name: 'Next', head: null, class: 'nowrap', cell: ({ next_at: at }) => fullTime(at) },
      mayChange
        ? { name: hidden('Stop'), head: null, class: 'r', cell: ({ schedule_id: id }) => stop(id) }
        : null,
    ],
    rows,
  });
}

function adding({ channels, has_mail: hasMail }: SchedulesModel, frame: Frame): Content {
  if (!hasMail) return html`<p class="soft sec">E-mail needs SMTP_URL.</p>`;
  const link = pageLink(frame, { path: '/alert-channels/new' }, null, 'Create an e-mail channel');
  if (channels.length === 0) {
    return html`<p class="soft sec">${link} first: reports are sent through one.</p>`;
  }
  const choices = channels.map(({ channel_id: id, name }) => ({ value: String(id), name: nameOf(name) }));
  const asked = actForm(
    frame,
    path,
    { class: 'stack' },
    ...rows(scheduleForm, {
      values: { at: '08:00', timezone: 'UTC' },
      looks: { channel: { choices } },
    }),
    html`<p class="acts">${submit('Schedule report', { class: 'btn primary' })}</p>`,
  );
  return section({ id: 'add', title: 'Schedule a report' }, asked);
}
