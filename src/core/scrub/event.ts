import type { NormalizedEvent } from '../../../schemas/event.ts';
import { createJsonObject, getOwn, isJsonObject } from '../parsing/unknown-values.ts';
import type { ScrubOptions } from '../ports/prepared-data.ts';
import { scrubLogEntry } from './message.ts';
import { type FieldKind, scrubFieldsByKind } from './record.ts';
import { truncateIpAddress } from './rules/cards-and-addresses.ts';
import { isSecretParameter, isSignInForm } from './rules/links.ts';
import { classifyFieldName, isSecretVerdict } from './table/names.ts';
import { filteredText } from './table/patterns.ts';
import { createScrubState, type ScrubState, scrubString } from './text.ts';
import { scrubField, scrubFields, scrubValue, uniqueKey } from './values.ts';

interface EventState extends ScrubState {
  /** For `{{auto}}`. */
  readonly clientAddress: string;
  readonly askedNetwork: string | null;
}

/** Our own fields: a project's scrub list does not apply to their names. Other names are judged. */
const eventKinds: Readonly<Record<string, FieldKind<EventState>>> = {
  event_id: 'kept',
  timestamp: 'kept',
  level: 'kept',
  platform: 'text',
  type: 'text',
  logger: 'text',
  transaction: 'text',
  server_name: 'text',
  environment: 'text',
  site: 'text',
  // JSON in a release name is read as JSON here, but as text where releases are created.
  release: (value, state) => scrubValue(value, state, 1, 'version'),
  dist: (value, state) => scrubValue(value, state, 1, 'version'),
  logentry: scrubLogEntry,
  exception: 'text',
  threads: 'text',
  breadcrumbs: 'text',
  tags: 'text',
  user: scrubUser,
  request: scrubRequest,
  contexts: 'text',
  fingerprint: 'text',
  modules: (value, state) => scrubFields(value, state, 2, 'version'),
  extra: 'text',
  sdk: 'text',
  csp: 'text',
  debug_meta: 'name',
  errors: 'text',
};

/** Before grouping, storing, logging (docs/scrubbing.md). Returns a copy, and how many values it changed. */
export function scrubEvent(
  event: NormalizedEvent,
  options: ScrubOptions,
): { event: NormalizedEvent; count: number } {
  const { clientAddress, storeIpAddresses, extraFields: scrubFields } = options;
  const state: EventState = {
    ...createScrubState({ scrubFields, storeIpAddresses }),
    clientAddress,
    askedNetwork: storeIpAddresses && asksForAddress(event) ? truncateIpAddress(clientAddress) : null,
  };
  const clean = scrubFieldsByKind(event, eventKinds, state, createJsonObject());
  if (clean['user'] === undefined && state.askedNetwork !== null) {
    clean['user'] = { ip_address: state.askedNetwork };
  }
  return { event: clean as NormalizedEvent, count: state.count };
}

/** Newer SDKs send `settings.infer_ip` instead of `{{auto}}`. */
function asksForAddress(event: NormalizedEvent): boolean {
  const settings = event.sdk?.['settings'];
  return isJsonObject(settings) && getOwn(settings, 'infer_ip') === 'auto';
}

const mailAddress = /^[^\s@<>"(),:;\\[\]=]{1,64}@[^\s@<>"(),:;\\/?#[\]=]{1,189}$/;

/** A valid `user.email` is kept. The IP address is dropped, or cut to its network. */
function scrubUser(value: unknown, state: EventState): unknown {
  if (!isJsonObject(value)) return scrubValue(value, state, 1, 'text');
  const clean = createJsonObject();
  for (const key of Object.keys(value)) {
    if (key === 'email' && typeof value[key] === 'string' && mailAddress.test(value[key])) {
      clean[key] = value[key];
    } else if (key !== 'ip_address') {
      scrubField(clean, key, value[key], state, 1, 'text');
    } else {
      state.count += 1;
      const sent = value[key] === '{{auto}}' ? state.clientAddress : value[key];
      const network = state.addresses === 'cut' && typeof sent === 'string' ? truncateIpAddress(sent) : null;
      if (network !== null) clean[key] = network;
    }
  }
  if (getOwn(value, 'ip_address') === undefined && state.askedNetwork !== null) {
    clean['ip_address'] = state.askedNetwork;
  }
  return Object.keys(clean).length === 0 ? undefined : clean;
}

function scrubRequest(value: unknown, state: ScrubState): unknown {
  if (!isJsonObject(value)) return scrubValue(value, state, 1, 'text');
  const clean = createJsonObject();
  for (const key of Object.keys(value)) {
    if (key === 'cookies') clean[key] = scrubCookies(value[key], state);
    else if (key === 'query_string') clean[key] = scrubQuery(value[key], state);
    else if (key === 'fragment') clean[key] = scrubFragment(value[key], state);
    else clean[key] = scrubValue(value[key], state, 2, 'text');
  }
  return clean;
}

/** Text is read like the part of a URL after "?". Of a list of pairs, each is judged by all names. */
function scrubQuery(value: unknown, state: ScrubState): unknown {
  if (typeof value === 'string') return scrubString(`?${value}`, state, 'text').slice(1);
  if (!Array.isArray(value)) return scrubValue(value, state, 2, 'text');
  const names = value.map((pair) => (Array.isArray(pair) && typeof pair[0] === 'string' ? pair[0] : ''));
  const isSignIn = isSignInForm(names) || (names.includes('code') && names.includes('state'));
  const around = { isSignIn, isLink: false, isAddress: true };
  const clean = value.map((pair: unknown, index) => {
    const text = Array.isArray(pair) ? pair[1] : undefined;
    const name = names[index]?.replaceAll(/[^A-Za-z]/g, '').toLowerCase() ?? '';
    if (typeof text !== 'string' || text === filteredText || !isSecretParameter(name, text, around))
      return pair;
    state.count += 1;
    return [names[index], filteredText];
  });
  return scrubValue(clean, state, 2, 'text');
}

/** Read like the part of a URL after "#". */
function scrubFragment(value: unknown, state: ScrubState): unknown {
  if (typeof value !== 'string') return scrubQuery(value, state);
  return scrubString(`/#${value}`, state, 'text').slice(2);
}

function scrubCookies(value: unknown, state: ScrubState): unknown {
  if (typeof value === 'string') {
    const pairs = value.split(';').map((pair) => scrubCookiePair(pair, state));
    return pairs.join(';');
  }
  if (!isJsonObject(value)) return scrubValue(value, state, 2, 'text');
  const clean = createJsonObject();
  for (const key of Object.keys(value)) {
    if (isSecretCookie(key, value[key], state)) {
      state.count += 1;
      clean[uniqueKey(clean, scrubString(key, state, 'text'))] = filteredText;
    } else {
      scrubField(clean, key, value[key], state, 2, 'text');
    }
  }
  return clean;
}

function scrubCookiePair(pair: string, state: ScrubState): string {
  const equals = pair.indexOf('=');
  const name = equals === -1 ? '' : pair.slice(0, equals);
  if (!isSecretCookie(name, pair.slice(equals + 1), state)) return scrubString(pair, state, 'text');
  state.count += 1;
  return `${name}=${filteredText}`;
}

/** A random-looking cookie identifies a session, so only a word, a small number or a language is kept. */
function isSecretCookie(name: string, value: unknown, state: ScrubState): boolean {
  if (typeof value !== 'string' || value === '') return false;
  if (isSecretVerdict(classifyFieldName(name, state.extra))) return true;
  return !/^(?:[a-z]{1,10}|\d{1,6}|[a-z]{2}[-_][A-Z]{2})$/.test(value.trim());
}
