import { z } from 'zod';
import { collectionArguments } from './collection.ts';
import { text } from './limits.ts';

/** Best first. */
export const componentStates = ['working', 'slow', 'not_working', 'planned_work'] as const;
/** Optional sections of a page. */
export const statusParts = ['days', 'percent', 'incidents', 'feeds'] as const;

const componentsMax = 100;

const component = z.strictObject({
  component_id: z.int().min(1).nullish().describe('Its number, for one that is there already.'),
  name: text(100).describe('What it is called.'),
  group: text(100).nullish().describe('The group in which it stands.'),
  monitors: z
    .array(z.int().min(1))
    .max(20)
    .nullish()
    .describe('Numbers of the monitors that feed it: it is as the worst of them.'),
  state: z.enum(componentStates).nullish().describe('How it is, where no monitor feeds it.'),
});
export type ComponentRequest = z.infer<typeof component>;

const settings = {
  name: text(100).nullish().describe('What the page is called.'),
  slug: text(60)
    .nullish()
    .describe('What stands in its address: small letters, digits and hyphens; made of the name unless said.'),
  description: text(500).nullish().describe('A line below the title, for what stays.'),
  published: z
    .boolean()
    .nullish()
    .describe('Whether everybody may see it; members of the workspace alone unless said.'),
  hosts: z
    .array(text(260))
    .max(10)
    .nullish()
    .describe('Names of hosts that show this page at their root, and nothing else.'),
  shows: z
    .array(z.enum(statusParts))
    .nullish()
    .describe(
      'What it shows beside the states: 90 days, uptime in percent, incidents, feeds; all unless said.',
    ),
  components: z
    .array(component)
    .max(componentsMax)
    .nullish()
    .describe('Its parts in their order; those that are not named are gone.'),
};

export const statusPageRequest = z.looseObject({
  ...settings,
  name: text(100).describe('What the page is called.'),
});
export type StatusPageRequest = z.infer<typeof statusPageRequest>;

export const statusPageChangeRequest = z.looseObject(settings);
export type StatusPageChangeRequest = z.infer<typeof statusPageChangeRequest>;

export const statusPagesQuery = z.looseObject({
  ...collectionArguments(['id', 'name']),
  published: z.boolean().nullish().describe('Limit result set to those that everybody may see, or others.'),
});

const statusPageView = z.object({
  status_page_id: z.number().int(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  published: z.boolean(),
  hosts: z.array(z.string()),
  shows: z.array(z.enum(statusParts)),
  state: z.enum(componentStates),
  components: z.array(
    z.object({
      component_id: z.number().int(),
      name: z.string(),
      group: z.string(),
      monitors: z.array(z.number().int()),
      state: z.enum(componentStates),
    }),
  ),
  created_at: z.string(),
  created_by: z.string(),
});
export type StatusPageView = z.infer<typeof statusPageView>;
