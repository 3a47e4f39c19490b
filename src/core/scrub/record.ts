// What is stored outside of events, without secrets and addresses: releases, deploys, artifacts, test runs,
// bug reports, names. Every such text goes through here, so that one set of rules and the project's own names
// hold everywhere (D-80).

import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { ScrubbedProject } from '../store/projects.ts';
import { extraFieldsOf } from './kinds/names.ts';
import { type ScrubState, scrubString } from './text.ts';
import { scrubValue } from './values.ts';

/** How fields are read that are not plain text. The names are those of the record itself. */
export interface RecordRules {
  /** Versions and other names in which dotted numbers are no addresses. */
  readonly versions?: readonly string[];
  /** Names by which a repeat is known: see `scrubIdentity`. */
  readonly identities?: readonly string[];
  /** Addresses and names of files, in which only links and known forms hold secrets. */
  readonly names?: readonly string[];
  /** Fields whose form was checked, or that are kept as they were signed. */
  readonly kept?: readonly string[];
}

/**
 * A copy of a record whose texts hold no secrets. The record's own names promise nothing, whatever the
 * project's list says; those inside of its objects and lists do. Linear in the size of the record.
 */
export function scrubRecord<Kind extends object>(
  record: Kind,
  project: ScrubbedProject,
  rules: RecordRules = {},
): Kind {
  const state = stateOf(project);
  const clean: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(record)) {
    if (value === null || value === undefined || rules.kept?.includes(field)) clean[field] = value;
    else if (typeof value !== 'string') clean[field] = scrubValue(value, state, 1, 'text');
    else if (rules.identities?.includes(field)) clean[field] = scrubIdentity(value, project);
    else if (rules.versions?.includes(field)) clean[field] = scrubString(value, state, 'version');
    else if (rules.names?.includes(field)) clean[field] = scrubString(value, state, 'name');
    else clean[field] = scrubValue(value, state, 1, 'text');
  }
  return clean as Kind;
}

/** Characters of many records that are scrubbed before others get a turn: a few milliseconds. */
const turnCharacters = 65_536;

/** Many records, such as the commits of a release: the loop goes on turning meanwhile. */
export async function scrubRecords<Kind extends object>(
  records: readonly Kind[],
  project: ScrubbedProject,
): Promise<Kind[]> {
  const clean: Kind[] = [];
  let characters = 0;
  for (const record of records) {
    clean.push(scrubRecord(record, project));
    for (const value of Object.values(record)) characters += typeof value === 'string' ? value.length : 64;
    if (characters < turnCharacters) continue;
    characters = 0;
    await setImmediate();
  }
  return clean;
}

/** Free text: a sentence, a message, what a program printed; JSON in it is read as JSON. */
export function scrubProjectText(text: string, project: ScrubbedProject): string {
  return scrubValue(text, stateOf(project), 1, 'text') as string;
}

/**
 * A version, or another name in which dotted numbers are no addresses; the same in events, releases and
 * artifacts.
 */
export function scrubVersion(text: string, project: ScrubbedProject): string {
  return scrubString(text, stateOf(project), 'version');
}

/** The address or name of a file, in which only links and known forms hold secrets. */
export function scrubFileName(text: string, project: ScrubbedProject): string {
  return scrubString(text, stateOf(project), 'name');
}

/** A field that has a name of the sender's own: its value goes where the name says so. */
export function scrubPair(name: string, value: string, project: ScrubbedProject): [string, string] {
  const state = stateOf(project);
  const clean = scrubValue({ [name]: value }, state, 1, 'text') as Record<string, unknown>;
  const [pair] = Object.entries(clean);
  return pair === undefined ? [scrubString(name, state, 'text'), ''] : [pair[0], String(pair[1])];
}

const markHexDigits = 16;

/**
 * A name by which a repeat is known. Two that differ in their secret alone stay two: what was taken out is
 * marked by the beginning of a digest of the whole.
 */
export function scrubIdentity(text: string, project: ScrubbedProject): string {
  const clean = scrubProjectText(text, project);
  if (clean === text) return text;
  const mark = hash('sha256', text).slice(0, markHexDigits);
  return `${clean} #${mark}`;
}

function stateOf(project: ScrubbedProject): ScrubState {
  return {
    extra: extraFieldsOf(project.scrubFields),
    addresses: project.storeIpAddresses ? 'cut' : 'drop',
    count: 0,
  };
}
