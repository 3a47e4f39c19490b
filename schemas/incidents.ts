import { z } from 'zod';
import { collectionArguments } from './collection.ts';
import { text } from './limits.ts';

export const incidentSeverities = ['critical', 'minor'] as const;
const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export const causeKinds = ['issue', 'release', 'deploy', 'test_run'] as const;

const cause = z.object({
  kind: z.enum(causeKinds).describe('What kind of thing it is.'),
  id: z.int().min(1).describe('Its number.'),
});

const settings = {
  title: text(200).nullish().describe('What went wrong, in a line.'),
  severity: z.enum(incidentSeverities).nullish().describe('How bad it is.'),
  cause: text(200).nullish().describe('The cause in a few words, once it is known.'),
  lead: text(100).nullish().describe('Who leads it.'),
  message: text(10_000).nullish().describe('What is said of it now, plain text.'),
  public: z
    .boolean()
    .nullish()
    .describe('Whether everybody may read the message; the team alone unless said.'),
};

export const incidentRequest = z.looseObject({
  ...settings,
  title: text(200).describe('What went wrong, in a line.'),
  started_at: z.string().max(40).nullish().describe('When it began; now unless said.'),
  monitors: z.array(z.int().min(1)).max(50).nullish().describe('Numbers of the monitors that it hits.'),
  components: z
    .array(z.int().min(1))
    .max(50)
    .nullish()
    .describe('Numbers of the components of status pages that it hits.'),
});
export type IncidentRequest = z.infer<typeof incidentRequest>;

export const incidentChangeRequest = z.looseObject({
  ...settings,
  state: z.enum(incidentStates).nullish().describe('How far it is; anything but resolved opens it again.'),
  acknowledged: z.boolean().nullish().describe('That somebody sees to it.'),
  post_mortem: text(20_000)
    .nullish()
    .describe('What was learnt of it, in Markdown; an empty text takes it away.'),
  post_mortem_public: z
    .boolean()
    .nullish()
    .describe('Whether everybody may read it; the team alone unless said.'),
  link: cause.nullish().describe('What led to it.'),
  dismiss: cause.nullish().describe('What has nothing to do with it.'),
});
export type IncidentChangeRequest = z.infer<typeof incidentChangeRequest>;

export const incidentsQuery = z.looseObject({
  ...collectionArguments(['date', 'id', 'title']),
  state: z
    .enum([...incidentStates, 'open'])
    .nullish()
    .describe('Limit result set to one state, or to open ones.'),
});

const link = z.object({
  kind: z.enum([...causeKinds, 'monitor', 'component']),
  id: z.number().int(),
  name: z.string(),
});
const state = z.enum([...incidentStates, 'planned']);

const incidentView = z.object({
  incident_id: z.number().int(),
  title: z.string(),
  severity: z.enum([...incidentSeverities, 'planned']),
  state,
  cause: z.string(),
  lead: z.string().nullable(),
  opened_by: z.string(),
  started_at: z.string(),
  acknowledged_at: z.string().nullable(),
  identified_at: z.string().nullable(),
  mended_at: z.string().nullable(),
  resolved_at: z.string().nullable(),
  acknowledged_after: z.number().nullable(),
  resolved_after: z.number().nullable(),
  affects: z.array(link),
  causes: z.array(
    link.extend({
      state: z.enum(['linked', 'proposed', 'dismissed']),
      why: z.string(),
      linked_by: z.string().nullable(),
    }),
  ),
  post_mortem: z
    .object({ author: z.string(), written_at: z.string(), public: z.boolean(), markdown: z.string() })
    .nullable(),
  updates: z.array(
    z.object({
      at: z.string(),
      author: z.string(),
      public: z.boolean(),
      message: z.string(),
      from: state.nullable(),
      to: state.nullable(),
    }),
  ),
});
export type IncidentView = z.infer<typeof incidentView>;
