// Fields of the forms of monitors: numbers, and what a job on a schedule is told.
import type { MonitorSettingsModel, NewMonitorModel } from '../../core/workspace/uptime/monitor-forms.ts';
import type { Content } from '../el.ts';
import { choiceField, field } from '../parts/controls.ts';
import { nameOf } from '../uptime/words.ts';

/** A number that has to be said. */
export function number(
  { id, label, hint }: { readonly id: string; readonly label: string; readonly hint?: string },
  value: number,
  [min, max]: readonly [number, number],
): Content {
  const said = hint === undefined ? { id, label } : { id, label, hint };
  return field(said, { name: id, type: 'number', value: String(value), min, max, required: true });
}

/** By which clock its runs come. */
export function timezone(value: string): Content {
  const hint = 'For cron alone, such as Europe/Berlin. Left empty, UTC.';
  return field(
    { id: 'timezone', label: 'By the clock of', hint },
    { name: 'timezone', value, maxlength: 100 },
  );
}

/** Whose monitor it is. */
export function project(projects: NewMonitorModel['projects']): Content {
  const choices = projects.map(({ project_id: id, name: called }) => ({
    value: String(id),
    name: nameOf(called),
  }));
  return choiceField(
    {
      id: 'project',
      label: 'Project',
      hint: 'A job of cron needs one: its check-ins come with the key of that project.',
    },
    [{ value: '', name: 'none' }, ...choices],
  );
}

/** When the runs of a job are to come, and what is said of those that do not. */
export function ofJob(cron: NonNullable<MonitorSettingsModel['cron']>): readonly Content[] {
  const minutes = [1, 40_320] as const;
  const runs = [1, 720] as const;
  return [
    field(
      {
        id: 'schedule',
        label: 'When it runs',
        hint: 'Such as 30 2 * * *, or 10 minutes. A check-in that says otherwise has the last word.',
      },
      { name: 'schedule', value: cron.schedule, required: true, maxlength: 100, autocomplete: 'off' },
    ),
    timezone(cron.timezone),
    number(
      { id: 'checkin_margin', label: 'Minutes that a run may begin late' },
      cron.checkin_margin,
      minutes,
    ),
    number({ id: 'max_runtime', label: 'Minutes that a run may take' }, cron.max_runtime, minutes),
    number(
      { id: 'failure_issue_threshold', label: 'Bad runs in a row until it is down' },
      cron.failure_issue_threshold,
      runs,
    ),
    number(
      { id: 'recovery_threshold', label: 'Good runs in a row until it is up again' },
      cron.recovery_threshold,
      runs,
    ),
  ];
}
