import { z } from 'zod';
import type { SchedulesModel, ScheduleView } from '../../core/page-models/reports/report.ts';
import { actionButton, actionForm, submitButton } from '../components/controls.ts';
import { emptyState, pageHead, section, visuallyHidden } from '../components/elements.ts';
import {
  choicesFromLabels,
  defineForm,
  enteredFields,
  type FormEntry,
  requiredTextField,
  selectField,
} from '../components/form.ts';
import { column, dataTable, rowHeader } from '../components/table.ts';
import { type Content, el, html, pageLink, type VNode } from '../el.ts';
import { fullTime } from '../formatters.ts';
import { shortUntrustedName, shortUntrustedText } from '../monitors/labels.ts';
import type { PageContent, PageContext } from '../page-context.ts';

const path = '/reports/schedules';
const intro =
  'A summary of each week or month by e-mail on the following morning, with highlights and a link.';

export const scheduleForm = defineForm({
  channel: selectField('Channel', z.coerce.number('Choose a channel.')),
  kind: selectField('Frequency', z.enum(['week', 'month'], 'Choose a frequency.'), {
    choices: choicesFromLabels({ week: 'Weekly', month: 'Monthly' }),
  }),
  at: {
    ...requiredTextField('Time', '', {
      hint: 'On Monday, or on the first of the month, for example 08:00.',
      attributes: { pattern: '([01][0-9]|2[0-3]):[0-5][0-9]', maxlength: 5 },
    }),
    schema: z.string('Enter a time.').regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Enter a time such as 08:00.'),
  },
  timezone: requiredTextField('Time zone', 'Enter a time zone.', {
    hint: 'For example Europe/Berlin. Weeks and months are counted in UTC; the report is sent after they end.',
    attributes: { maxlength: 64 },
  }),
});

export function schedulesPage(model: SchedulesModel, context: PageContext, entry?: FormEntry): PageContent {
  const mayChange = context.currentUser?.canManage === true;
  return {
    title: 'Reports by e-mail',
    breadcrumbs: [{ name: 'Reports', path: '/reports' }],
    main: [
      pageHead({ title: 'Reports by e-mail' }),
      html`<p class="lede">${intro}</p>`,
      el(
        'div',
        { class: 'sec' },
        model.schedules.length === 0
          ? emptyState('No reports are sent by e-mail', 'Members can read them here.')
          : table(model.schedules, context, mayChange),
      ),
      mayChange
        ? adding(model, context, entry)
        : html`<p class="soft sec">Only an admin can change this.</p>`,
    ],
  };
}

function table(rows: readonly ScheduleView[], context: PageContext, mayChange: boolean): VNode {
  const stop = (id: number): Content =>
    actionButton(context, `${path}/${id}/stop`, 'Stop', { class: 'btn small' });
  return dataTable<ScheduleView>(context, {
    caption: 'Channels that receive reports',
    columns: [
      {
        name: 'Channel',
        row: ({ alert_channel_id: id, channel }) =>
          rowHeader(pageLink(context, `/alert-channels/${id}`, null, shortUntrustedText(channel))),
      },
      {
        name: 'Frequency',
        class: 'd2',
        cell: ({ kind, project }) => [
          `Each ${kind}, `,
          project === null ? 'all projects' : shortUntrustedText(project),
        ],
      },
      { name: 'Time', class: 'd3', cell: ({ at, timezone }) => `${at} ${timezone}` },
      column('Next', null, 'nowrap', ({ next_at: at }) => fullTime(at)),
      mayChange ? column(visuallyHidden('Stop'), null, 'r', ({ report_schedule_id: id }) => stop(id)) : null,
    ],
    rows,
  });
}

function adding(
  { channels, has_mail: hasMail }: SchedulesModel,
  context: PageContext,
  entry: FormEntry | undefined,
): Content {
  if (!hasMail) return html`<p class="soft sec">Set SMTP_URL to send reports by e-mail.</p>`;
  const link = pageLink(context, '/alert-channels/new', null, 'Create an e-mail channel');
  if (channels.length === 0) {
    return html`<p class="soft sec">${link} first: reports are sent through one.</p>`;
  }
  const choices = channels.map(({ alert_channel_id: id, name }) => ({
    value: String(id),
    name: shortUntrustedName(name),
  }));
  const form = actionForm(
    context,
    path,
    { class: 'stack', novalidate: true },
    ...enteredFields(scheduleForm, entry, {
      values: { at: '08:00', timezone: 'UTC' },
      fieldOptions: { channel: { choices } },
    }),
    html`<p class="acts">${submitButton('Schedule report', { class: 'btn primary' })}</p>`,
  );
  return section({ id: 'add', title: 'Schedule a report' }, form);
}
