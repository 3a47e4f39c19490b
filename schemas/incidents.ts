import { z } from 'zod';
import { collectionArguments, flag, idList, limitedText } from './fields.ts';

export const incidentSeverities = ['critical', 'minor'] as const;
const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export const causeKinds = ['issue', 'release', 'deploy', 'test_run'] as const;

const cause = z.object({
  kind: z.enum(causeKinds).describe('Type of the linked object.'),
  id: z.int().min(1).describe('ID of the linked object.'),
});

const settings = {
  title: limitedText(200).nullish().describe('Title of the incident.'),
  severity: z.enum(incidentSeverities).nullish().describe('Severity of the incident.'),
  cause: limitedText(200).nullish().describe('The cause in a few words, once it is known.'),
  lead: limitedText(100).nullish().describe('Assignee of the incident.'),
  message: limitedText(10_000).nullish().describe('An update to post, as plain text.'),
  public: flag.describe('Whether the message is public; by default only the team can read it.'),
};

export const incidentRequest = z.looseObject({
  ...settings,
  title: limitedText(200).describe('Title of the incident.'),
  started_at: z.string().max(40).nullish().describe('When the incident started; by default now.'),
  monitors: idList(50).nullish().describe('IDs of the affected monitors.'),
  components: idList(50).nullish().describe('IDs of the affected status page components.'),
});
export type IncidentRequest = z.infer<typeof incidentRequest>;

export const incidentChangeRequest = z.looseObject({
  ...settings,
  state: z
    .enum(incidentStates)
    .nullish()
    .describe('State of the incident; any state except resolved reopens it.'),
  acknowledged: flag.describe('Whether the incident is acknowledged.'),
  post_mortem: limitedText(20_000).nullish().describe('Post-mortem in Markdown; an empty text removes it.'),
  post_mortem_public: flag.describe(
    'Whether the post-mortem is public; by default only the team can read it.',
  ),
  link: cause.nullish().describe('A cause to link.'),
  dismiss: cause.nullish().describe('A suggested cause to dismiss.'),
});
export type IncidentChangeRequest = z.infer<typeof incidentChangeRequest>;

export const incidentsQuery = z.looseObject({
  ...collectionArguments(['date', 'id', 'title']),
  state: z
    .enum([...incidentStates, 'open'])
    .nullish()
    .describe('Limit results to this state, or to open incidents.'),
});

const link = z.object({
  kind: z.enum([...causeKinds, 'monitor', 'component']),
  id: z.number().int(),
  name: z.string(),
});
const state = z.enum([...incidentStates, 'planned']);

export const incidentView = z.object({
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
  mitigated_at: z.string().nullable(),
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
