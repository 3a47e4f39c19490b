import { z } from 'zod';
import { collectionArguments, flag, idList, limitedText } from './fields.ts';

/** Best first. */
export const componentStates = ['working', 'slow', 'not_working', 'planned_work'] as const;
/** Optional sections of a page. `subscribe` needs `incidents`, which subscribers are notified of. */
export const statusParts = ['days', 'percent', 'incidents', 'feeds', 'subscribe'] as const;
/** Languages of public pages and of mails to their subscribers; the first is that of all other pages. */
export const statusLanguages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'ja', 'zh'] as const;
export type StatusLanguage = (typeof statusLanguages)[number];
/** `auto`: the first language that the visitor's browser asks for. */
export const statusPageLanguages = [...statusLanguages, 'auto'] as const;
export type StatusPageLanguage = (typeof statusPageLanguages)[number];

const componentsMax = 100;
export const brandImages = ['logo', 'favicon'] as const;
export const brandImageBytesMax = 102_400;
/** Base64 of more than is allowed, so that the error names bytes. */
const brandImageCharactersMax = 400_000;

const component = z.strictObject({
  component_id: z.int().min(1).nullish().describe('ID of an existing component.'),
  name: limitedText(100).describe('Name of the component.'),
  group: limitedText(100).nullish().describe('Group of the component.'),
  monitors: idList(20).nullish().describe('IDs of its monitors; it shows their worst state.'),
  state: z.enum(componentStates).nullish().describe('State of the component, if it has no monitors.'),
});
export type ComponentRequest = z.infer<typeof component>;

const settings = {
  name: limitedText(100).nullish().describe('Name of the status page.'),
  slug: limitedText(60)
    .nullish()
    .describe('Slug in its URL: lowercase letters, digits and hyphens; by default made from the name.'),
  description: limitedText(500).nullish().describe('A note below the title.'),
  published: flag.describe('Whether the page is public; by default only members can see it.'),
  hosts: z.array(limitedText(260)).max(10).nullish().describe('Custom hostnames that show only this page.'),
  shows: z
    .array(z.enum(statusParts))
    .nullish()
    .describe(
      'What it shows besides the states: 90-day history, uptime in percent, incidents, feeds, subscription by e-mail; by default all.',
    ),
  language: z
    .enum(statusPageLanguages)
    .nullish()
    .describe('Language of the public page and of mails; auto is that of the browser. By default en.'),
  accent: limitedText(7)
    .nullish()
    .describe('Accent colour of the public page, for example #0a7f5c; empty for none.'),
  logo: limitedText(brandImageCharactersMax)
    .nullish()
    .describe('Logo: PNG or WebP of at most 100 KiB, as base64 or data: URL; empty for none.'),
  favicon: limitedText(brandImageCharactersMax)
    .nullish()
    .describe('Favicon, square, otherwise as the logo; by default made from the logo.'),
  components: z
    .array(component)
    .max(componentsMax)
    .nullish()
    .describe('Its components in order; those not listed are removed.'),
};

export const statusPageRequest = z.looseObject({
  ...settings,
  name: limitedText(100).describe('Name of the status page.'),
});
export type StatusPageRequest = z.infer<typeof statusPageRequest>;

export const statusPageChangeRequest = z.looseObject(settings);
export type StatusPageChangeRequest = z.infer<typeof statusPageChangeRequest>;

export const statusPagesQuery = z.looseObject({
  ...collectionArguments(['id', 'name']),
  published: flag.describe('Limit results to public or non-public pages.'),
});

const brandImageView = z
  .object({
    content_type: z.string(),
    width: z.number().int(),
    height: z.number().int(),
    bytes: z.number().int(),
  })
  .nullable();

export const statusPageView = z.object({
  status_page_id: z.number().int(),
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  published: z.boolean(),
  hosts: z.array(z.string()),
  shows: z.array(z.enum(statusParts)),
  language: z.enum(statusPageLanguages),
  accent: z.string().nullable(),
  logo: brandImageView,
  favicon: brandImageView,
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

const subscriberKinds = ['email', 'webhook'] as const;

export const subscriberRequest = z.looseObject({
  url: limitedText(2_000).describe('URL that gets each update as signed JSON.'),
});
export type SubscriberRequest = z.infer<typeof subscriberRequest>;

export const subscribersQuery = z.looseObject({
  ...collectionArguments(['id']),
  kind: z.enum(subscriberKinds).nullish().describe('Limit results to one kind of subscribers.'),
});

export const subscriberView = z.object({
  subscriber_id: z.number().int(),
  kind: z.enum(subscriberKinds),
  /** The whole e-mail address; of a webhook its host and the begin of its path. */
  address: z.string(),
  language: z.string(),
  subscribed_at: z.string(),
  last_error: z.string(),
});
export type SubscriberView = z.infer<typeof subscriberView>;
