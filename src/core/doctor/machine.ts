import { minuteMs } from '../parsing/durations.ts';
import {
  type ContentFacts,
  createFindings,
  type DatabaseFiles,
  type FileInfo,
  type Finding,
  formatPlural,
  type NetworkState,
} from './facts.ts';

const megabyte = 1_048_576;
const freeBytesMin = 512 * megabyte;
/** The write-ahead log is truncated to 64 MB; long reads let it grow. */
const logBytesMax = 256 * megabyte;
/** Synchronized clocks differ by less. */
const skewMsMax = 2 * minuteMs;
/** NFS, SMB and CIFS (Linux numbers): SQLite's locks and shared memory do not work there. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

export function checkDisk({ file, sidecarFiles, leftovers, disk }: DatabaseFiles): Finding[] {
  const { notice, problem, orOk } = createFindings('disk');
  if (disk === null) return [];
  const free = `${disk.path} has ${size(disk.freeBytes)} free of ${size(disk.allBytes)}`;
  const bytes = (file?.bytes ?? 0) + sidecarFiles.reduce((sum, each) => sum + each.bytes, 0);
  if (disk.freeBytes < freeBytesMin || disk.freeBytes < disk.allBytes * 0.02) {
    problem(`${free}. Events are refused when it is full.`, 'Free space, or move the database.');
  } else if (disk.freeBytes < disk.allBytes * 0.1 || disk.freeBytes < bytes) {
    notice(
      `${free}, and the database has ${size(bytes)}.`,
      'Free space, because an upgrade copies the database first.',
    );
  }
  if (disk.freeFilesShare !== null && disk.freeFilesShare < 0.02) {
    problem(`${disk.path} has almost no free inodes.`, 'Delete files there.');
  }
  if (networkFileSystems.has(disk.type)) {
    problem(
      `${disk.path} is on a network file system, where SQLite can lose committed transactions.`,
      'Move the database to a local disk, or use PostgreSQL.',
    );
  }
  const log = sidecarFiles.find((each) => each.path.endsWith('-wal'));
  if (log !== undefined && log.bytes > logBytesMax) {
    problem(
      `The write-ahead log has ${size(log.bytes)}.`,
      'End long-running readers of the database, then restart.',
    );
  }
  if (leftovers.length > 0) {
    const bytesLeft = leftovers.reduce((sum, each) => sum + each.bytes, 0);
    const names = leftovers.map((each) => each.path).join(', ');
    notice(
      `${formatPlural(leftovers.length, 'copy').replace('copys', 'copies')} of the database use ${size(bytesLeft)}: ${names}.`,
      'Delete those you no longer need.',
    );
  }
  return orOk(`${free}.`);
}

export function checkPermissions(
  files: DatabaseFiles | null,
  secrets: readonly FileInfo[],
  ourUid: number,
): Finding[] {
  const { notice, problem, orOk } = createFindings('permissions');
  const all = files?.file == null ? [] : [files.file, ...files.sidecarFiles];
  for (const { path, mode } of all.filter(isOpen)) {
    problem(
      `${path} can be read by others (mode ${octal(mode)}), and events hold personal data.`,
      `chmod 600 ${path}`,
    );
  }
  for (const { path, mode } of secrets.filter(isOpen)) {
    problem(`${path} can be read by others (mode ${octal(mode)}).`, `chmod 600 ${path}`);
  }
  const owners = new Set(all.map(({ uid }) => uid));
  if (owners.size > 1) {
    problem(
      `The database files belong to different users (${[...owners].join(', ')}), so the server cannot write all of them.`,
      'Change their owner to the user that runs the server (chown).',
    );
  }
  const [owner] = owners;
  if (owner !== undefined && owners.size === 1 && ourUid !== 0 && owner !== ourUid) {
    notice(
      `The database belongs to user ${owner}, but this is user ${ourUid}.`,
      'Run the server and its commands as the same user.',
    );
  }
  if (files?.folder != null && (files.folder.mode & 0o022) !== 0 && (files.folder.mode & 0o1000) === 0) {
    problem(
      `Other users can replace the database, because they can write to ${files.folder.path} (mode ${octal(files.folder.mode)}).`,
      `chmod 700 ${files.folder.path}`,
    );
  }
  return orOk('Files with events and secrets are accessible only to their owner.');
}

export function checkClock(
  nowMs: number,
  content: ContentFacts | null,
  files: DatabaseFiles | null,
  network: NetworkState,
): Finding[] {
  const { problem, orOk } = createFindings('clock');
  const advice = 'Set the clock, and use a time service (timedatectl set-ntp true).';
  const dated: ReadonlyArray<readonly [what: string, atMs: number | null | undefined]> = [
    ['the newest event', content?.newestEventAtMs],
    ['the last start of the server', content?.lastStartAtMs],
    ['the database file', files?.file?.modifiedAtMs],
  ];
  for (const [source, atMs] of dated) {
    if (atMs != null && atMs > nowMs + skewMsMax) {
      problem(`The clock went back: it is ${iso(nowMs)} here, but ${source} is from ${iso(atMs)}.`, advice);
    }
  }
  const remoteDateMs = network.public?.dateMs ?? null;
  if (remoteDateMs !== null && Math.abs(remoteDateMs - nowMs) > skewMsMax) {
    problem(`The clock is wrong: it is ${iso(nowMs)} here, but ${iso(remoteDateMs)} at BASE_URL.`, advice);
  }
  return orOk(`The clock is right: ${iso(nowMs)}.`);
}

export function checkNetwork(network: NetworkState): Finding[] {
  const { notice, problem, orOk } = createFindings('addresses');
  const { baseHost, resolvers, local } = network;
  if (baseHost !== null && baseHost.failed !== null) {
    problem(
      `The host of BASE_URL, ${baseHost.host}, has no IP address (${baseHost.failed}).`,
      'Correct BASE_URL or the DNS records.',
    );
  }
  for (const { server, failed } of resolvers) {
    if (failed === null) continue;
    problem(
      `The DNS server ${server} of NOTIFIER_DNS_SERVERS did not respond (${failed}), so domains cannot be verified.`,
      'Use another one, or open UDP and TCP port 53 to it.',
    );
  }
  if (network.redisFault !== null) {
    problem(
      `Redis is unavailable (${network.redisFault}), so each server applies its share of the rate limits, and bug reports, /sdk-verify and domain checks are deferred.`,
      'Start Redis, correct REDIS_URL, or remove the setting if there is only one server.',
    );
  }
  if (!network.hostIsHere) {
    problem('HOST is not an address of this machine, so the server cannot start.', 'Correct HOST.');
  }
  if (!local.isOurs) {
    notice(
      `Notifier does not respond at ${local.address} (${local.detail}).`,
      'Start the server, or set PORT and HOST to its values.',
    );
  }
  if (network.public !== null && !network.public.isOurs && local.isOurs) {
    problem(
      `The server responds here, but not at ${network.public.address} (${network.public.detail}), so SDKs cannot reach it.`,
      'Check the proxy (docs/reverse-proxy.md), BASE_URL and WP_PATH.',
    );
  }
  const publicAddress = network.public === null ? '' : ` and at ${network.public.address}`;
  return orOk(`The server responds at ${local.address}${publicAddress}.`);
}

function isOpen({ mode }: FileInfo): boolean {
  return (mode & 0o077) !== 0;
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(3, '0');
}

function size(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(0)} MB`;
}

function iso(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
