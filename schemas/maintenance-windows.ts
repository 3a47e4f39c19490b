import { z } from 'zod';
import { collectionArguments } from './collection.ts';
import { text } from './limits.ts';

const days = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']);

const settings = {
  title: text(200).nullish().describe('What is done, in a line.'),
  message: text(10_000).nullish().describe('What everybody may read of it, plain text.'),
  starts_at: z
    .string()
    .max(40)
    .nullish()
    .describe('When it begins, for work that comes once; now unless said.'),
  ends_at: z.string().max(40).nullish().describe('When it ends, for work that comes once.'),
  weekdays: z.array(days).max(7).nullish().describe('The days of each week on which it comes again.'),
  at: z.string().max(5).nullish().describe('At what time of these days it begins, such as 02:30.'),
  minutes: z.int().min(1).max(1_440).nullish().describe('How long it takes on these days; 60 unless said.'),
  timezone: text(100).nullish().describe('By which clock these days are; UTC unless said.'),
  all: z.boolean().nullish().describe('Whether it is about all monitors.'),
  monitors: z.array(z.int().min(1)).max(200).nullish().describe('Numbers of monitors that it is about.'),
  group: text(50).nullish().describe('A group of monitors that it is about.'),
  tag: text(50).nullish().describe('A tag of monitors that it is about.'),
};

export const windowRequest = z.looseObject({
  ...settings,
  title: text(200).describe('What is done, in a line.'),
});
export type WindowRequest = z.infer<typeof windowRequest>;

export const windowChangeRequest = z.looseObject(settings);
export type WindowChangeRequest = z.infer<typeof windowChangeRequest>;

export const windowsQuery = z.looseObject({
  ...collectionArguments(['date', 'id', 'title']),
});

const windowView = z.object({
  maintenance_window_id: z.number().int(),
  title: z.string(),
  message: z.string(),
  state: z.enum(['planned', 'under_way', 'over']),
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
export type WindowView = z.infer<typeof windowView>;
