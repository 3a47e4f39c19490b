import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readSourceMap, type SourceMap } from '../../src/symbolication/source-map.ts';
import { SourceMapError } from '../../src/symbolication/source-map-error.ts';

interface Action {
  readonly actionType: string;
  readonly generatedLine: number;
  readonly generatedColumn: number;
  readonly originalSource: string | null;
  readonly originalLine: number | null;
  readonly originalColumn: number | null;
  readonly mappedName: string | null;
  readonly intermediateMaps?: readonly string[];
  readonly present?: readonly string[];
}

interface Case {
  readonly name: string;
  readonly sourceMapFile: string;
  readonly sourceMapIsValid: boolean;
  readonly testActions?: readonly Action[];
}

const file = join(import.meta.dirname, '../fixtures/source-map-tests/suite.json');
const suite: { tests: Case[]; maps: Record<string, string> } = JSON.parse(readFileSync(file, 'utf8'));
const mapped = suite.tests.filter(({ testActions = [] }) => testActions.length > 0);

function read(name: string): SourceMap {
  return readSourceMap(Buffer.from(textOf(name)));
}

function textOf(name: string): string {
  const text = suite.maps[name];
  if (text === undefined) throw new Error(`the suite has no map ${name}`);
  return text;
}

function faultsOf(name: string): string[] {
  try {
    const { remarks, strayCount } = read(name);
    return [...remarks, ...(strayCount > 0 ? ['points at nothing'] : [])];
  } catch (error) {
    if (!(error instanceof SourceMapError)) throw error;
    return [error.message];
  }
}

function originOf(map: SourceMap, action: Action) {
  let found = map.find(action.generatedLine + 1, action.generatedColumn + 1);
  for (const name of action.intermediateMaps ?? []) {
    found = found === null ? null : read(name).find(found.line, found.column);
  }
  return found;
}

function expectAction(file: string, action: Action): void {
  if (action.actionType === 'checkIgnoreList') {
    // Their map of one source leads nowhere: with a mapping it shows what is ignored.
    const text = textOf(file).replace(/"mappings"\s*:\s*""/, '"mappings":"AAAA"');
    const found = readSourceMap(Buffer.from(text)).find(1, 1);
    expect([found?.source, found?.ignored]).toEqual([action.present?.[0], true]);
    return;
  }
  const found = originOf(read(file), action);
  expect(found === null ? null : [found.source, found.line - 1, found.column - 1, found.name]).toEqual(
    action.originalSource === null
      ? null
      : [action.originalSource, action.originalLine, action.originalColumn, action.mappedName],
  );
}

describe('the suite of TC39', () => {
  it('is complete', () => {
    expect([suite.tests.length, mapped.flatMap((each) => each.testActions).length]).toEqual([99, 94]);
  });

  it.each(suite.tests.map((each) => [each.name, each] as const))('%s', (_name, each) => {
    const faults = faultsOf(each.sourceMapFile);
    expect([each.sourceMapIsValid, faults]).toEqual([faults.length === 0, faults]);
  });

  it.each(mapped.map((each) => [each.name, each] as const))('%s: mapped positions', (_name, each) => {
    for (const action of each.testActions ?? []) expectAction(each.sourceMapFile, action);
  });
});
