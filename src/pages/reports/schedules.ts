// /reports/schedules: who is sent reports by e-mail, and when; where that is stopped.
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
const why =
  'The whole of a week or a month by mail, in the morning after it, with what stands out and a link.';

export const scheduleForm = form({
  channel: choice('The channel', z.coerce.number('Choose a channel.')),
  kind: choice('The report of', z.enum(['week', 'month'], 'Choose which.'), {
    choices: choicesOf({ week: 'each week', month: 'each month' }),
  }),
  at: {
    ...needed('At', '', {
      hint: 'On Monday, or on the first of the month, such as 08:00.',
      attributes: { pattern: '([01][0-9]|2[0-3]):[0-5][0-9]', maxlength: 5 },
    }),
    schema: z.string('Say when.').regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Write a time of day such as 08:00.'),
  },
  timezone: needed('By the clocks of', 'Say by whose clocks.', {
    hint: 'Such as Europe/Berlin. Weeks and months are those of UTC: it leaves when they are over.',
    attributes: { maxlength: 64 },
  }),
});

/** The page of who is sent reports. */
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
          ? empty('Reports are sent to nobody', 'They stand here for whoever looks.')
          : table(model.schedules, frame, mayChange),
      ),
      mayChange ? adding(model, frame) : html`<p class="soft sec">An admin says to whom, and stops it.</p>`,
    ],
  };
}

function table(rows: readonly ScheduleView[], frame: Frame, mayChange: boolean): VNode {
  const stop = (id: number): Content =>
    actForm(frame, `${path}/${id}/stop`, null, submit('Stop', { class: 'btn small' }));
  return tableOf<ScheduleView>(frame, {
    caption: 'Channels that are sent reports',
    columns: [
      {
        name: 'Channel',
        row: ({ channel_id: id, channel }) =>
          rowHead(pageLink(frame, { path: `/alert-channels/${id}` }, null, told(channel))),
      },
      {
        name: 'Report of',
        class: 'd2',
        cell: ({ kind, project }) => [`each ${kind}, `, project === null ? 'all projects' : told(project)],
      },
      { name: 'At', class: 'd3', cell: ({ at, timezone }) => `${at} ${timezone}` },
      { name: 'Next', head: null, class: 'nowrap', cell: ({ next_at: at }) => fullTime(at) },
      mayChange
        ? { name: hidden('Stop'), head: null, class: 'r', cell: ({ schedule_id: id }) => stop(id) }
        : null,
    ],
    rows,
  });
}

function adding({ channels, has_mail: hasMail }: SchedulesModel, frame: Frame): Content {
  if (!hasMail) return html`<p class="soft sec">There is no e-mail here until SMTP_URL is set.</p>`;
  const link = pageLink(frame, { path: '/alert-channels/new' }, null, 'Add a channel of e-mail');
  if (channels.length === 0) return html`<p class="soft sec">${link} first: reports leave by one.</p>`;
  const choices = channels.map(({ channel_id: id, name }) => ({ value: String(id), name: nameOf(name) }));
  const asked = actForm(
    frame,
    path,
    { class: 'stack' },
    ...rows(scheduleForm, {
      values: { at: '08:00', timezone: 'UTC' },
      looks: { channel: { choices } },
    }),
    html`<p class="acts">${submit('Send it', { class: 'btn primary' })}</p>`,
  );
  return section({ id: 'add', title: 'Send one' }, asked);
}
