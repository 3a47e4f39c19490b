// How a page is asked, read from a request: the method, headers and a body.
import { askingBodyBytesMax, type MonitorChangeRequest } from '../../../schemas/monitors.ts';
import { invalidParam } from '../errors.ts';
import type { MonitorTerms } from '../store/monitors/monitoring.ts';

type RequestTerms = Pick<MonitorTerms, 'method' | 'headers' | 'body'>;

const headersMax = 50;
const valueCharactersMax = 4_096;
const withBody: ReadonlyArray<MonitorTerms['method']> = ['POST', 'PUT', 'PATCH', 'DELETE'];
/** Those of one connection (RFC 9110, 7.6.1), and those that the client makes of the request itself. */
const ownHeaders: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'content-length',
  'expect',
]);

/** The terms with what is asked for; empty texts end what was there. Throws 400 for what cannot be sent. */
export function requestTermsOf(asked: MonitorChangeRequest, before: RequestTerms): RequestTerms {
  const method = asked.method ?? before.method;
  const headers = asked.headers == null ? before.headers : headersOf(asked.headers);
  const body = asked.body ?? before.body;
  if (Buffer.byteLength(body) > askingBodyBytesMax) {
    throw invalidParam({ body: `body must be at most ${askingBodyBytesMax} bytes long.` });
  }
  if (body !== '' && !withBody.includes(method)) {
    throw invalidParam({ body: `body goes with ${withBody.join(', ')} alone, not with ${method}.` });
  }
  return { method, headers, body };
}

function headersOf(said: NonNullable<MonitorChangeRequest['headers']>): MonitorTerms['headers'] {
  const pairs = typeof said === 'string' ? pairsOf(said) : Object.entries(said);
  if (pairs.length > headersMax) throw refused(`must be at most ${headersMax}`);
  const names = new Set<string>();
  for (const [name, value] of pairs) {
    const key = name.toLowerCase();
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) throw refused('must have names of letters, digits and hyphens');
    if (ownHeaders.has(key)) throw refused(`must not name ${key}, which is of the connection`);
    if (names.has(key)) throw refused(`must not name ${key} twice`);
    if (value.length > valueCharactersMax || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw refused(`must have a value of one line for ${key}`);
    }
    names.add(key);
  }
  return pairs.map(([name, value]) => [name, value.trim()] as const);
}

/** `Name: value`, one a line. */
function pairsOf(text: string): Array<readonly [string, string]> {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const at = line.indexOf(':');
    if (at === -1) throw refused('must be lines such as Accept: application/json');
    return [line.slice(0, at).trim(), line.slice(at + 1).trim()] as const;
  });
}

function refused(why: string): Error {
  return invalidParam({ headers: `headers ${why}.` });
}
