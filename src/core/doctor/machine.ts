// Doctor checks of disk, permissions, clock and network.
import { minuteMs } from '../reading/spans.ts';
import type { Answer, ContentFacts, FileFacts, NetworkFacts, PathFacts } from './facts.ts';
import { type Finding, findingsOf, numberOf, orFine } from './finding.ts';

const megabyte = 1_048_576;
const roomMin = 512 * megabyte;
/** The write-ahead log is truncated to 64 MB; long reads let it grow. */
const logBytesMax = 256 * megabyte;
/** Synchronized clocks differ by less. */
const skewMsMax = 2 * minuteMs;
/** NFS, SMB and CIFS (Linux numbers): SQLite's locks and shared memory do not work there. */
const networkFileSystems = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42]);

export function diskFindings({ file, beside, leftovers, disk }: FileFacts): Finding[] {
  const { notice, problem } = findingsOf('disk');
  if (disk === null) return [];
  const found: Finding[] = [];
  const free = `${disk.path} has ${size(disk.freeBytes)} free of ${size(disk.allBytes)}`;
  const bytes = (file?.bytes ?? 0) + beside.reduce((sum, each) => sum + each.bytes, 0);
  if (disk.freeBytes < roomMin || disk.freeBytes < disk.allBytes * 0.02) {
    found.push(problem(`${free}: events are refused once it is full.`, 'Make room, or move the database.'));
  } else if (disk.freeBytes < disk.allBytes * 0.1 || disk.freeBytes < bytes) {
    found.push(
      notice(
        `${free}, and the database takes ${size(bytes)}.`,
        'Make room: an upgrade copies the database first.',
      ),
    );
  }
  if (disk.freeFilesShare !== null && disk.freeFilesShare < 0.02) {
    found.push(problem(`${disk.path} has hardly any room for more files.`, 'Remove files there.'));
  }
  if (networkFileSystems.has(disk.type)) {
    found.push(
      problem(
        `${disk.path} is on a network file system, where SQLite loses what was committed.`,
        'Move the database to a disk of this machine, or use PostgreSQL.',
      ),
    );
  }
  const log = beside.find((each) => each.path.endsWith('-wal'));
  if (log !== undefined && log.bytes > logBytesMax) {
    found.push(
      problem(
        `The write-ahead log has ${size(log.bytes)}.`,
        'End what reads the database for long; then restart.',
      ),
    );
  }
  if (leftovers.length > 0) {
    const bytesLeft = leftovers.reduce((sum, each) => sum + each.bytes, 0);
    const names = leftovers.map((each) => each.path).join(', ');
    found.push(
      notice(
        `${numberOf(leftovers.length, 'copy').replace('copys', 'copies')} of the database take ${size(bytesLeft)}: ${names}.`,
        'Remove what you need no more.',
      ),
    );
  }
  return [...orFine(found, 'disk', `${free}.`)];
}

export function permissionFindings(
  files: FileFacts | null,
  secrets: readonly PathFacts[],
  ourUid: number,
): Finding[] {
  const { notice, problem } = findingsOf('permissions');
  const found: Finding[] = [];
  const all = files?.file == null ? [] : [files.file, ...files.beside];
  for (const { path, mode } of all.filter(isOpen)) {
    found.push(
      problem(
        `${path} can be read by others (mode ${octal(mode)}), and events hold personal data.`,
        `chmod 600 ${path}`,
      ),
    );
  }
  for (const { path, mode } of secrets.filter(isOpen)) {
    found.push(problem(`${path} can be read by others (mode ${octal(mode)}).`, `chmod 600 ${path}`));
  }
  const owners = new Set(all.map(({ uid }) => uid));
  if (owners.size > 1) {
    found.push(
      problem(
        `The files of the database belong to different users (${[...owners].join(', ')}): the server cannot write them all.`,
        'Give them all to the user that the server runs as (chown).',
      ),
    );
  }
  const [owner] = owners;
  if (owner !== undefined && owners.size === 1 && ourUid !== 0 && owner !== ourUid) {
    found.push(
      notice(
        `The database belongs to user ${owner}, and this is user ${ourUid}.`,
        'Run the server and its commands as one user.',
      ),
    );
  }
  if (files?.folder != null && (files.folder.mode & 0o022) !== 0 && (files.folder.mode & 0o1000) === 0) {
    found.push(
      problem(
        `Others may replace the database: ${files.folder.path} can be written by them (mode ${octal(files.folder.mode)}).`,
        `chmod 700 ${files.folder.path}`,
      ),
    );
  }
  return [...orFine(found, 'permissions', 'Files with events and secrets are their owner’s alone.')];
}

/** Compares the clock with all known timestamps. */
export function clockFindings(
  nowMs: number,
  content: ContentFacts | null,
  files: FileFacts | null,
  network: NetworkFacts,
): Finding[] {
  const { problem } = findingsOf('clock');
  const mend = 'Set the clock, and let a time service keep it (timedatectl set-ntp true).';
  const dated: ReadonlyArray<readonly [what: string, atMs: number | null | undefined]> = [
    ['the newest event', content?.newestEventAtMs],
    ['the last start of the server', content?.lastStartAtMs],
    ['the database’s file', files?.file?.modifiedAtMs],
  ];
  const found = dated
    .filter(([, atMs]) => typeof atMs === 'number' && atMs > nowMs + skewMsMax)
    .map(([what, atMs]) =>
      problem(`It is ${iso(nowMs)} here, and ${what} is of ${iso(atMs ?? 0)}: the clock went back.`, mend),
    );
  const outside = network.public?.dateMs ?? null;
  if (outside !== null && Math.abs(outside - nowMs) > skewMsMax) {
    found.push(problem(`It is ${iso(nowMs)} here, and ${iso(outside)} where BASE_URL answers.`, mend));
  }
  return [...orFine(found, 'clock', `It is ${iso(nowMs)}, later than all that was dated before.`)];
}

export function networkFindings(network: NetworkFacts): Finding[] {
  const { notice, problem } = findingsOf('addresses');
  const found: Finding[] = [];
  const { baseHost, resolvers, local } = network;
  if (baseHost !== null && baseHost.failed !== null) {
    found.push(
      problem(
        `${baseHost.host} of BASE_URL has no address (${baseHost.failed}).`,
        'Correct BASE_URL or the DNS.',
      ),
    );
  }
  for (const { server, failed } of resolvers) {
    if (failed === null) continue;
    found.push(
      problem(
        `The resolver ${server} of NOTIFIER_DNS_SERVERS does not answer (${failed}): no domain can be verified.`,
        'Name another, or open UDP and TCP port 53 to it.',
      ),
    );
  }
  if (network.redisFault !== null) {
    found.push(
      problem(
        `The Redis of REDIS_URL does not count limits (${network.redisFault}): each server admits its share by itself, and bug reports, /sdk-verify and checks of domains are told to wait.`,
        'Start it, correct REDIS_URL, or leave the setting away where there is one server.',
      ),
    );
  }
  if (!network.hostIsHere) {
    found.push(problem('HOST is no address of this machine: the server cannot start.', 'Correct HOST.'));
  }
  if (!local.isOurs) {
    found.push(
      notice(
        `No server of ours answers at ${local.address} (${local.said}).`,
        'Start it, or set PORT and HOST as it has them.',
      ),
    );
  }
  if (network.public !== null && !network.public.isOurs && local.isOurs) {
    found.push(notReached(network.public));
  }
  return [...orFine(found, 'addresses', addressesFine(network))];
}

function notReached({ address, said }: Answer): Finding {
  return findingsOf('addresses').problem(
    `The server answers here, but not at ${address} (${said}): SDKs do not reach it.`,
    'Look at the proxy in front (docs/reverse-proxy.md), at BASE_URL and at WP_PATH.',
  );
}

function addressesFine({ local, public: outside }: NetworkFacts): string {
  return `The server answers at ${local.address}${outside === null ? '' : ` and at ${outside.address}`}.`;
}

function isOpen({ mode }: PathFacts): boolean {
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
