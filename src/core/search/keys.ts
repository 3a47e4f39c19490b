// The keys of a search. docs/search.md has the same table.
import type { HasField, PatternField, UserKeyKind } from '../store/search-terms.ts';

export type KeyMeaning =
  | { readonly is: 'is' | 'level' | 'assigned' | 'issue' | 'has' | 'project' }
  | { readonly is: 'pattern'; readonly field: PatternField; readonly hasField?: HasField }
  | { readonly is: 'tag'; readonly tag: string; readonly isName?: boolean }
  /** The version in a tag such as `iOS 17.1`, of which that many numbers are stored. */
  | { readonly is: 'version'; readonly tag: string; readonly numbers: number }
  | { readonly is: 'release_part'; readonly part: ReleasePart }
  /** `true` and `false` for a tag of `yes` and `no`; the other way round where `isNot`. */
  | { readonly is: 'flag'; readonly tag: string; readonly isNot?: boolean }
  | { readonly is: 'user'; readonly by: UserKeyKind | 'any' }
  /** An age counts back: `-24h` is less than 24 hours ago for all of them. */
  | { readonly is: 'time'; readonly field: 'first_seen' | 'last_seen' | 'received' }
  | { readonly is: 'number'; readonly field: 'events' | 'users' };

export type ReleasePart = 'base' | 'packageName' | 'build';

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
  key('release.version', 'version in package@version+build', { is: 'release_part', part: 'base' }),
  key('release.package', 'package of the release', { is: 'release_part', part: 'packageName' }),
  key('release.build', 'build of the release', { is: 'release_part', part: 'build' }),
  key('project', 'name of the project', { is: 'project' }, 'both', [
    'project.name',
    'project_id',
    'project.id',
  ]),
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
  key('browser.version', 'version of the browser', { is: 'version', tag: 'browser', numbers: 1 }),
  key('os', 'operating system with version', { is: 'tag', tag: 'os' }),
  key('os.name', 'system', { is: 'tag', tag: 'os', isName: true }),
  key('os.version', 'version of the system', { is: 'version', tag: 'os', numbers: 2 }),
  key('device', 'model of the device', { is: 'tag', tag: 'device' }, 'both', ['device.model', 'device.name']),
  key('device.family', 'family of the device', { is: 'tag', tag: 'device.family' }),
  key('runtime', 'runtime with version', { is: 'tag', tag: 'runtime' }),
  key('runtime.name', 'runtime', { is: 'tag', tag: 'runtime', isName: true }),
  key('runtime.version', 'version of the runtime', { is: 'version', tag: 'runtime', numbers: 2 }),
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

/** Sentry's keys of what Notifier does not have, and what to do instead. */
const unsupportedKeys: Readonly<Record<string, string>> = {
  assigned_or_suggested: 'use `assigned`',
  bookmarks: 'save a view, or use `assigned`',
  subscribed: 'save a view, or use `assigned`',
  'issue.category': 'every issue is an error',
  'issue.type': 'every issue is an error',
  'event.type': 'every event is an error',
  'issue.priority': 'issues have no priority, use `level`',
  priority: 'issues have no priority, use `level`',
  regressed_in_release: 'use is:regressed with `release`',
  'release.stage': 'use `release`',
  'transaction.duration': 'transactions are not stored',
  'stack.in_app': 'use `file`',
  'stack.lineno': 'use `file`',
  'stack.package': 'use `file`',
};

export function findUnsupportedKey(
  name: string,
): { readonly hint: string; readonly instead?: string } | null {
  const hint = Object.hasOwn(unsupportedKeys, name.toLowerCase())
    ? unsupportedKeys[name.toLowerCase()]
    : null;
  if (hint == null) return null;
  const instead = /`([^`]+)`$/.exec(hint)?.[1];
  return instead === undefined ? { hint } : { hint, instead };
}
