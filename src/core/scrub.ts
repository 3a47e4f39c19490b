// An event without secrets and addresses (ingestion.md section 7.2, decision D-21): runs before anything is grouped, stored or logged.
// File, function and module names and debug_meta are left as they are.
import type { NormalizedEvent } from '../../schemas/event.ts';
import { emptyRecord, isRecord, type JsonRecord, own } from './lenient.ts';
import { networkOf } from './scrub-address.ts';
import { extraFieldsOf, judgeKey, type KeyVerdict } from './scrub-keys.ts';
import { filtered, type ScrubState, scrubString, type TextKind } from './scrub-text.ts';
import { freeKey, scrubField, scrubFields, scrubValue } from './scrub-values.ts';

export { scrubText } from './scrub-text.ts';

export interface ScrubOptions {
  /** Names of the project's own whose values are filtered. */
  readonly extraFields: readonly string[];
  /** Off: no address is kept anywhere. On: they are cut to /24 and /48. */
  readonly storeIpAddresses: boolean;
  /** The address of the connection, for `{{auto}}`. */
  readonly clientAddress: string;
}

/** Fields of the event that hold no words of people: ids, times, and names that grouping and mapping need as they are. */
const untouchedFields = new Set(['event_id', 'timestamp', 'level', 'release', 'dist', 'debug_meta']);
/** A scrubbed copy of the event, and how many values were filtered, replaced or dropped. Linear in the size of the event. */
export function scrubEvent(
  event: NormalizedEvent,
  options: ScrubOptions,
): { event: NormalizedEvent; count: number } {
  const state: ScrubState = {
    extra: extraFieldsOf(options.extraFields),
    addresses: options.storeIpAddresses ? 'cut' : 'drop',
    count: 0,
  };
  const clean = emptyRecord();
  for (const field of Object.keys(event)) {
    const value = event[field];
    if (untouchedFields.has(field)) clean[field] = value;
    else if (field === 'user') clean[field] = scrubUser(value, event, options, state);
    else if (field === 'request') clean[field] = scrubRequest(value, state);
    else if (field === 'logentry') clean[field] = scrubMessage(value, state);
    else if (field === 'modules') clean[field] = scrubFields(value, state, 2, 'version');
    else if (knownFields.has(field))
      clean[field] = scrubValue(value, state, 1, kindOf(judgeKey(field, state.extra)));
    else scrubField(clean, field, value, state, 1, 'text');
  }
  if (clean['user'] === undefined) addAskedAddress(clean, event, options);
  for (const field of Object.keys(clean)) if (clean[field] === undefined) delete clean[field];
  return { event: clean as NormalizedEvent, count: state.count };
}

/** Our own fields: their names promise nothing, whatever a project's list says. */
const knownFields = new Set([
  ...['platform', 'type'],
  ...['logger', 'transaction', 'server_name', 'environment', 'site', 'logentry', 'exception', 'threads'],
  ...['breadcrumbs', 'tags', 'contexts', 'fingerprint', 'extra', 'sdk', 'csp', 'errors'],
]);

function kindOf(verdict: KeyVerdict): TextKind {
  return verdict === 'version' ? 'version' : 'text';
}

/** `user.email` is kept as sent; the address goes, or is cut. */
function scrubUser(
  value: unknown,
  event: NormalizedEvent,
  options: ScrubOptions,
  state: ScrubState,
): unknown {
  if (!isRecord(value)) return scrubValue(value, state, 1, 'text');
  const clean = emptyRecord();
  for (const key of Object.keys(value)) {
    if (key === 'email') clean[key] = value[key];
    else if (key !== 'ip_address') scrubField(clean, key, value[key], state, 1, 'text');
    else {
      state.count += 1;
      const sent = value[key] === '{{auto}}' ? options.clientAddress : String(value[key]);
      const network = options.storeIpAddresses ? networkOf(sent) : null;
      if (network !== null) clean[key] = network;
    }
  }
  if (own(value, 'ip_address') === undefined) {
    const network = askedNetwork(event, options);
    if (network !== null) clean['ip_address'] = network;
  }
  return Object.keys(clean).length === 0 ? undefined : clean;
}

/** Newer SDKs ask for the connection's address by `settings.infer_ip` instead of `{{auto}}`. */
function askedNetwork(event: NormalizedEvent, options: ScrubOptions): string | null {
  const settings = event.sdk?.['settings'];
  const asked = isRecord(settings) && own(settings, 'infer_ip') === 'auto';
  return asked && options.storeIpAddresses ? networkOf(options.clientAddress) : null;
}

function addAskedAddress(clean: JsonRecord, event: NormalizedEvent, options: ScrubOptions): void {
  const network = askedNetwork(event, options);
  if (network !== null) clean['user'] = { ip_address: network };
}

/** What a parameter's name makes a secret is one in the text that was made with it. */
function scrubMessage(value: unknown, state: ScrubState): unknown {
  const params = isRecord(value) ? own(value, 'params') : undefined;
  if (!isRecord(value) || !isRecord(params) || typeof value['formatted'] !== 'string')
    return scrubValue(value, state, 1, 'text');
  let formatted = value['formatted'];
  for (const key of Object.keys(params)) {
    const secret = params[key];
    if (typeof secret !== 'string' || secret.length < 4 || !formatted.includes(secret)) continue;
    const verdict = judgeKey(key, state.extra);
    if (verdict === 'secret' || verdict === 'counted') formatted = formatted.replaceAll(secret, filtered);
  }
  const made = emptyRecord();
  for (const key of Object.keys(value)) made[key] = key === 'formatted' ? formatted : value[key];
  return scrubValue(made, state, 1, 'text');
}

/** Cookies are judged name by name, everything else as any field. */
function scrubRequest(value: unknown, state: ScrubState): unknown {
  if (!isRecord(value)) return scrubValue(value, state, 1, 'text');
  const clean = emptyRecord();
  for (const key of Object.keys(value)) {
    if (key === 'cookies') clean[key] = scrubCookies(value[key], state);
    else if (key === 'query_string' && typeof value[key] === 'string')
      clean[key] = scrubString(value[key], state, 'text');
    else clean[key] = scrubValue(value[key], state, 2, 'text');
  }
  return clean;
}

function scrubCookies(value: unknown, state: ScrubState): unknown {
  if (typeof value === 'string') {
    const pairs = value.split(';').map((pair) => scrubCookiePair(pair, state));
    return pairs.join(';');
  }
  if (!isRecord(value)) return scrubValue(value, state, 2, 'text');
  const clean = emptyRecord();
  for (const key of Object.keys(value)) {
    if (isSecretCookie(key, value[key], state)) {
      state.count += 1;
      clean[freeKey(clean, scrubString(key, state, 'text'))] = filtered;
    } else scrubField(clean, key, value[key], state, 2, 'text');
  }
  return clean;
}

function scrubCookiePair(pair: string, state: ScrubState): string {
  const equals = pair.indexOf('=');
  const name = equals === -1 ? '' : pair.slice(0, equals);
  if (!isSecretCookie(name, pair.slice(equals + 1), state)) return scrubString(pair, state, 'text');
  state.count += 1;
  return `${name}=${filtered}`;
}

/** A name that says so, or a value that is more than a word, a small number or a language: what a machine wrote there is a key to something. */
function isSecretCookie(name: string, value: unknown, state: ScrubState): boolean {
  if (typeof value !== 'string' || value === '') return false;
  const verdict = judgeKey(name, state.extra);
  if (verdict === 'secret' || verdict === 'counted') return true;
  return !/^(?:[a-z]{1,10}|\d{1,6}|[a-z]{2}[-_][A-Z]{2})$/.test(value.trim());
}
