// The keys of a search. docs/search.md has the same table.
import type { HasField, PatternField, UserKeyKind } from '../store/search-terms.ts';

export type KeyMeaning =
  | { readonly is: 'is' | 'level' | 'assigned' | 'issue' | 'has' }
  | { readonly is: 'pattern'; readonly field: PatternField; readonly hasField?: HasField }
  | { readonly is: 'tag'; readonly tag: string; readonly isName?: boolean }
  /** `true` and `false` for a tag of `yes` and `no`; the other way round where `isNot`. */
  | { readonly is: 'flag'; readonly tag: string; readonly isNot?: boolean }
  | { readonly is: 'user'; readonly by: UserKeyKind | 'any' }
  /** An age counts back: `-24h` is less than 24 hours ago for all of them. */
  | { readonly is: 'time'; readonly field: 'first_seen' | 'last_seen' | 'received' }
  | { readonly is: 'number'; readonly field: 'events' | 'users' };

export interface SearchKey {
  readonly name: string;
  readonly meaning: KeyMeaning;
  readonly of: 'issues' | 'events' | 'both';
  readonly about: string;
  /** Other names, as Sentry has them. */
  readonly aliases: readonly string[];
}

function key(
  name: string,
  about: string,
  meaning: KeyMeaning,
  of: SearchKey['of'] = 'both',
  aliases: readonly string[] = [],
): SearchKey {
  return { name, meaning, of, about, aliases };
}

/** In the order in which completion offers them. */
const searchKeys: readonly SearchKey[] = [
  key('is', 'state of the issue', { is: 'is' }, 'issues'),
  key('level', 'level of an event', { is: 'level' }),
  key('release', 'release, or latest', { is: 'pattern', field: 'release', hasField: 'release' }),
  key(
    'environment',
    'environment',
    { is: 'pattern', field: 'environment', hasField: 'environment' },
    'both',
    ['env'],
  ),
  key('assigned', 'me, none, a member or #team', { is: 'assigned' }, 'issues', ['assignee', 'assigned_to']),
  key('user', 'id, e-mail, user name or IP address', { is: 'user', by: 'any' }),
  key('user.id', 'id of a user', { is: 'user', by: 'id' }),
  key('user.email', 'e-mail of a user', { is: 'user', by: 'email' }),
  key('user.username', 'user name', { is: 'user', by: 'username' }, 'both', ['user.name']),
  key('user.ip', 'IP address of a user', { is: 'user', by: 'ip' }, 'both', ['user.ip_address']),
  key('platform', 'platform', { is: 'pattern', field: 'platform' }, 'both', ['platform.name']),
  key('type', 'type of the exception', { is: 'pattern', field: 'type' }, 'both', ['error.type']),
  key('message', 'title and messages', { is: 'pattern', field: 'message' }, 'both', ['title', 'error.value']),
  key('transaction', 'transaction or culprit', { is: 'pattern', field: 'transaction' }, 'both', [
    'culprit',
    'location',
  ]),
  key('file', 'file of a frame', { is: 'pattern', field: 'file' }, 'both', [
    'stack.filename',
    'filename',
    'stack.abs_path',
    'stack.module',
  ]),
  key('function', 'function of a frame', { is: 'pattern', field: 'function' }, 'both', ['stack.function']),
  key('url', 'URL without its query', { is: 'tag', tag: 'url' }, 'both', ['http.url']),
  key('host', 'host of the URL', { is: 'tag', tag: 'host' }),
  key('browser', 'browser with version', { is: 'tag', tag: 'browser' }),
  key('browser.name', 'browser', { is: 'tag', tag: 'browser', isName: true }),
  key('os', 'operating system with version', { is: 'tag', tag: 'os' }),
  key('os.name', 'system', { is: 'tag', tag: 'os', isName: true }),
  key('device', 'model of the device', { is: 'tag', tag: 'device' }, 'both', ['device.model', 'device.name']),
  key('device.family', 'family of the device', { is: 'tag', tag: 'device.family' }),
  key('runtime', 'runtime with version', { is: 'tag', tag: 'runtime' }),
  key('runtime.name', 'runtime', { is: 'tag', tag: 'runtime', isName: true }),
  key('server_name', 'name of the server', { is: 'tag', tag: 'server_name' }),
  key('error.unhandled', 'true for crashes', { is: 'flag', tag: 'handled', isNot: true }),
  key('error.handled', 'true or false', { is: 'flag', tag: 'handled' }),
  key('mechanism', 'how the SDK caught it', { is: 'tag', tag: 'mechanism' }, 'both', ['error.mechanism']),
  key('firstSeen', 'when first seen', { is: 'time', field: 'first_seen' }, 'issues', ['first_seen']),
  key('lastSeen', 'when last seen', { is: 'time', field: 'last_seen' }, 'issues', ['last_seen']),
  key('age', 'time since first seen', { is: 'time', field: 'first_seen' }, 'issues'),
  key('timesSeen', 'number of events', { is: 'number', field: 'events' }, 'issues', ['times_seen', 'events']),
  key('users', 'number of users', { is: 'number', field: 'users' }, 'issues', ['users_seen', 'user_count']),
  key('firstRelease', 'release of the first event', { is: 'pattern', field: 'first_release' }, 'issues', [
    'first_release',
    'first-release',
  ]),
  key('has', 'key with any value', { is: 'has' }),
  key('issue', 'number of the issue', { is: 'issue' }, 'issues', ['issue.id']),
  key('id', 'id of the event', { is: 'pattern', field: 'id' }, 'events', ['event.id']),
  key('dist', 'distribution', { is: 'pattern', field: 'dist', hasField: 'dist' }, 'events'),
  key('sdk.name', 'name of the SDK', { is: 'pattern', field: 'sdk.name' }, 'events'),
  key('timestamp', 'when received', { is: 'time', field: 'received' }, 'events', [
    'event.timestamp',
    'received',
  ]),
];

const byName = new Map(
  searchKeys.flatMap((each) =>
    [each.name, ...each.aliases].map((name) => [name.toLowerCase(), each] as const),
  ),
);

/** Case is ignored, as in Sentry: `firstseen` is `firstSeen`. */
export function findSearchKey(name: string): SearchKey | undefined {
  return byName.get(name.toLowerCase());
}

export function listSearchKeys(of: 'issues' | 'events'): SearchKey[] {
  return searchKeys.filter((each) => each.of === of || each.of === 'both');
}
