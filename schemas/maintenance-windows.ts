import { z } from 'zod';
import { collectionArguments, flag, idList, intBetween, limitedText } from './fields.ts';

const days = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

const settings = {
  title: limitedText(200).nullish().describe('Title of the maintenance.'),
  message: limitedText(10_000).nullish().describe('Public description, as plain text.'),
  starts_at: z.string().max(40).nullish().describe('Start of one-time maintenance; by default now.'),
  ends_at: z.string().max(40).nullish().describe('End of one-time maintenance.'),
  weekdays: z.array(days).max(7).nullish().describe('Weekdays of recurring maintenance.'),
  at: z.string().max(5).nullish().describe('Start time on these weekdays, for example 02:30.'),
  minutes: intBetween(1, 1_440).nullish().describe('Duration in minutes on these weekdays; by default 60.'),
  timezone: limitedText(100).nullish().describe('Time zone of the weekdays; by default UTC.'),
  all: flag.describe('Whether all monitors are affected.'),
  monitors: idList(200).nullish().describe('IDs of the affected monitors.'),
  group: limitedText(50).nullish().describe('Group of the affected monitors.'),
  tag: limitedText(50).nullish().describe('Tag of the affected monitors.'),
};

export const maintenanceWindowRequest = z.looseObject({
  ...settings,
  title: limitedText(200).describe('Title of the maintenance.'),
});
export type MaintenanceWindowRequest = z.infer<typeof maintenanceWindowRequest>;

export const maintenanceWindowChangeRequest = z.looseObject(settings);
export type MaintenanceWindowChangeRequest = z.infer<typeof maintenanceWindowChangeRequest>;

export const maintenanceWindowsQuery = z.looseObject({
  ...collectionArguments(['date', 'id', 'title']),
});

export const windowView = z.object({
  maintenance_window_id: z.number().int(),
  title: z.string(),
  message: z.string(),
  state: z.enum(['scheduled', 'in_progress', 'completed']),
  starts_at: z.string(),
  ends_at: z.string(),
  weekdays: z.array(days),
  at: z.string().nullable(),
  minutes: z.number().int().nullable(),
  timezone: z.string().nullable(),
  all: z.boolean(),
  monitors: z.array(z.number().int()),
  group: z.string(),
  tag: z.string(),
  incident_id: z.number().int().nullable(),
  created_at: z.string(),
  created_by: z.string(),
});
export type MaintenanceWindowView = z.infer<typeof windowView>;
