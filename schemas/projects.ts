import { z } from 'zod';
import { inboundFiltersView } from './inbound-filters.ts';

const name = z.string().min(1).max(100).describe('Name of the project.');

/** The form of a name is checked by the service, for pages too. */
export const projectRequest = z.looseObject({ name });

/** What is not given stays. */
export const projectChangeRequest = z.looseObject({
  name: name.optional(),
  scrub_fields: z
    .array(z.string().max(100))
    .max(100)
    .describe('Further field names whose values are redacted.')
    .optional(),
  store_ip: z.boolean().describe('Whether IP addresses are stored, truncated to /24 and /48.').optional(),
  bug_reports: z.boolean().describe('Whether apps may send bug reports without a page.').optional(),
});

export const projectDeletion = z.looseObject({
  name: z.string().max(100).describe('Name of the project, to confirm.'),
});

export const listedProjectView = z.object({
  project_id: z.number().int(),
  name: z.string(),
  created_at: z.string(),
});

export const createdProjectView = listedProjectView.extend({
  public_key: z.string(),
  dsn: z.string().nullable(),
  long_dsn: z.string().nullable(),
});

export const projectView = listedProjectView.extend({
  grouping: z.string(),
  scrub_fields: z.array(z.string()).readonly(),
  store_ip: z.boolean(),
  bug_reports: z.boolean(),
  inbound_filters: inboundFiltersView,
});
