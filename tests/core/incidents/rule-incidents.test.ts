import { describe, expect, it } from '@jest/globals';
import { endIncidentOfRule, updateIncidentOfRule } from '../../../src/core/incidents/automatic.ts';
import type { IncidentRecord, RuleMatch } from '../../../src/core/store/incidents.ts';

const finding: RuleMatch = {
  rule: { id: 3, name: 'Live', severity: 'minor' },
  projectId: 1,
  object: '12',
  title: '#12 is new: TypeError',
  description: 'an issue is new',
  atMs: 500,
  linkedObject: { kind: 'issue', id: 12, name: '#12' },
};
const open = (state: IncidentRecord['state'], isHandled: boolean) =>
  ({ state, isHandled, openedBy: 'Live', mitigatedAtMs: null, updates: [] }) as unknown as IncidentRecord;

describe('an incident opened by a rule', () => {
  it('is opened with links to what matched', () => {
    expect(updateIncidentOfRule(finding, null, 0)).toMatchObject({
      does: 'open',
      incident: {
        title: '#12 is new: TypeError',
        severity: 'minor',
        openedBy: 'Live',
        monitorId: null,
        startedAtMs: 500,
        isHandled: false,
        affects: [],
        causes: [{ kind: 'issue', id: 12, name: '#12', linkedBy: 'Live' }],
        update: { author: 'Live', isPublic: false, body: 'an issue is new', to: 'investigating' },
        ofRule: { ruleId: 3, object: '12' },
      },
    });
    const slow: RuleMatch = { ...finding, linkedObject: { kind: 'monitor', id: 7, name: 'Shop' } };
    expect(updateIncidentOfRule(slow, null, 0)).toMatchObject({
      incident: { affects: [{ kind: 'monitor', id: 7 }], causes: [] },
    });
  });

  it('is opened at most ten times for a rule while they are open', () => {
    expect(updateIncidentOfRule(finding, null, 9)).not.toBeNull();
    expect(updateIncidentOfRule(finding, null, 10)).toBeNull();
    expect(updateIncidentOfRule(finding, open('monitoring', true), 10)).not.toBeNull();
  });

  it.each([
    ['investigating', 'investigating', null],
    ['monitoring', 'investigating', 'investigating'],
  ] as const)('that is %s is %s when the rule matches again', (state, next, to) => {
    expect(updateIncidentOfRule(finding, open(state, true), 1)).toMatchObject({
      does: 'change',
      change: { state: next },
      update: { body: 'Again: #12 is new: TypeError', to },
    });
  });

  it.each([
    ['investigating', false, 'resolved'],
    ['identified', true, 'monitoring'],
  ] as const)('that is %s, edited %s, is %s when the cause ends', (state, isHandled, next) => {
    expect(endIncidentOfRule(open(state, isHandled), 'It is over.', 900)).toMatchObject({
      does: 'change',
      change: { state: next, mitigatedAtMs: 900 },
      update: { author: 'Live', body: 'It is over.', to: next },
    });
    expect(endIncidentOfRule(null, 'It is over.', 900)).toBeNull();
  });
});
