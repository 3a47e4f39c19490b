import { describe, expect, it } from '@jest/globals';
import { wholeSuite } from '../../src/contract/suite/whole.ts';
import { placeholdersOf } from '../../src/contract/target.ts';
import { statements } from './statements.ts';

const required = wholeSuite.checks.filter((check) => check.severity === 'required');

describe('the table of statements', () => {
  it('has every section from 2 to 9 that can be observed', () => {
    expect([...new Set(statements.map((each) => each.section))]).toEqual(['2', '4', '5', '6', '7', '8', '9']);
  });

  it('has no statement twice', () => {
    expect(new Set(statements.map((each) => each.id)).size).toBe(statements.length);
  });

  it.each(statements.map((each) => each.id))('%s has a required check', (id) => {
    expect(required.filter((check) => check.statements.includes(id)).map((check) => check.name)).not.toEqual(
      [],
    );
  });
});

describe('the suite', () => {
  it('gives every check a name of its own and a section', () => {
    const names = wholeSuite.checks.map((check) => check.name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    expect(wholeSuite.checks.filter((check) => check.section === '')).toEqual([]);
  });

  it('ties every required check to a statement of its own section', () => {
    const known = new Map(statements.map((each) => [each.id, each]));
    for (const check of required) {
      const sections = check.statements.map((id) => known.get(id)?.section ?? `unknown ${id}`);
      expect({ check: check.name, sections }).toEqual({
        check: check.name,
        sections: expect.arrayContaining([check.section]),
      });
      expect(sections.filter((section) => section.startsWith('unknown'))).toEqual([]);
    }
  });

  it('ties nothing else to the specification', () => {
    const others = wholeSuite.checks.filter((check) => check.severity !== 'required');
    expect(others.filter((check) => check.statements.length > 0)).toEqual([]);
  });

  it('has every named request once, and a name for every request', () => {
    const names = wholeSuite.requests.map((request) => request.name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const named = new Set([
      ...wholeSuite.checks.map((check) => check.request ?? ''),
      ...wholeSuite.checks.flatMap((check) =>
        (check.expect ?? []).flatMap((each) => ('request' in each ? [each.request] : [])),
      ),
      ...wholeSuite.requests.flatMap((request) => [
        ...(request.after ?? []),
        ...(request.flood ?? []).map((each) => each.request),
      ]),
    ]);
    named.delete('');
    expect([...named].filter((name) => !names.includes(name))).toEqual([]);
    expect(names.filter((name) => !named.has(name))).toEqual([]);
  });

  it('starts at most two domain verifications, for one name', () => {
    const made = wholeSuite.requests.filter((request) => request.path === '/domain-verifications');
    const bodies = new Set(made.map((request) => JSON.stringify(request.body)));
    expect([...bodies]).toHaveLength(1);
  });

  it('captures every placeholder that is not in the target', () => {
    const fromTarget = ['public_key', 'secret_key', 'domain', 'domain_off', 'proof_domain', 'event_id'];
    const others = ['envelope_event_id', 'unknown_proof_id', 'release_version'];
    const captured = wholeSuite.requests.flatMap((request) => Object.keys(request.captures ?? {}));
    const needed = wholeSuite.requests.flatMap(placeholdersOf);
    expect(needed.filter((name) => ![...fromTarget, ...others, ...captured].includes(name))).toEqual([]);
  });
});
