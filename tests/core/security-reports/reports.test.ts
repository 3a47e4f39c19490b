import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseSecurityReports } from '../../../src/core/security-reports/reports.ts';
import { inFull, runs } from '../../support/test-level.ts';

inFull(it)('any JSON in place of a report, or of a part, is parsed or ignored without an error', () => {
  const context = { receivedAtMs: 0, userAgent: '', release: undefined, environment: undefined };
  const names = fc.constantFrom(
    'blocked-uri',
    'violated-directive',
    'effectiveDirective',
    'type',
    'hostname',
    'id',
  );
  const body = fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.oneof(fc.jsonValue(), fc.webUrl())));
  const kind = fc.constantFrom('csp-violation', 'network-error', 'crash', '__proto__');
  const report = fc.oneof(
    body,
    body.map((value) => ({ 'csp-report': value })),
    body.map((value) => ({ 'expect-ct-report': value })),
    fc.record({ type: kind, body, url: fc.oneof(fc.webUrl(), fc.jsonValue()), age: fc.jsonValue() }),
  );
  fc.assert(
    fc.property(fc.oneof(report, fc.array(report)), (sent) => {
      const reports = parseSecurityReports(sent, context);
      for (const event of reports?.events ?? []) expect(event === null || 'logentry' in event).toBe(true);
    }),
    { numRuns: runs(300) },
  );
});
