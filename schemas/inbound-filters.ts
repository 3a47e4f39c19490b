import { z } from 'zod';
import { limitedText } from './fields.ts';

const patternCharactersMax = 200;
const filterEntriesMax = 50;

/** `*` stands for any text and `?` for one character. One that fits everything would drop everything. */
const pattern = limitedText(patternCharactersMax).refine((text) => /[^*?\s]/.test(text), {
  error: 'must contain more than * and ?.',
});

const network = z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]);

const address = limitedText(64).refine((text) => network.safeParse(text.trim()).success, {
  error: 'must be an IP address or a network, for example 203.0.113.0/24.',
});

/** The names are those of Sentry. */
export const inboundFiltersRequest = z.looseObject({
  browser_extensions: z.boolean().nullish().describe('Drop errors of browser extensions.'),
  web_crawlers: z.boolean().nullish().describe('Drop errors of web crawlers.'),
  localhost: z.boolean().nullish().describe('Drop errors of pages and servers on localhost.'),
  legacy_browsers: z.boolean().nullish().describe('Drop errors of old browsers.'),
  releases: z
    .array(pattern)
    .max(filterEntriesMax)
    .nullish()
    .describe('Drop these releases; * is a wildcard.'),
  error_messages: z
    .array(pattern)
    .max(filterEntriesMax)
    .nullish()
    .describe('Drop errors with these messages; * is a wildcard.'),
  ip_addresses: z
    .array(address)
    .max(filterEntriesMax)
    .nullish()
    .describe('Drop errors from these IP addresses and networks.'),
});
export type InboundFiltersRequest = z.infer<typeof inboundFiltersRequest>;

export const filterSwitches = ['browser_extensions', 'web_crawlers', 'localhost', 'legacy_browsers'] as const;
export const filterLists = ['releases', 'error_messages', 'ip_addresses'] as const;

export type FilterSwitch = (typeof filterSwitches)[number];
export type FilterList = (typeof filterLists)[number];
export type FilterName = FilterSwitch | FilterList;

export type InboundFilters = Readonly<Record<FilterSwitch, boolean>> &
  Readonly<Record<FilterList, readonly string[]>>;

const list = z.array(z.string()).readonly();

export const inboundFiltersView = z.object({
  browser_extensions: z.boolean(),
  web_crawlers: z.boolean(),
  localhost: z.boolean(),
  legacy_browsers: z.boolean(),
  releases: list,
  error_messages: list,
  ip_addresses: list,
});
