// Streaming reader for all variants of JUnit XML (docs/test-reports.md, "JUnit XML"). saxes refuses undefined
// entities, duplicate attributes and unclosed tags; the rest is limited here.
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { cutText, cutTextFromEnd } from '../../../parsing/cut-text.ts';
import { parseTime } from '../../../parsing/timestamps.ts';
import { junitContext, OtherDocumentError, unreadableReportError } from '../cases/context.ts';
import type { CaseCollector } from '../cases/normalize.ts';
import {
  type CaseOutcome,
  isRerunElement,
  type OpenCase,
  openCase,
  openInCase,
  type Suite,
  textCharactersMax,
  toRawCase,
} from './case.ts';
import { type NumberLocale, parseSeconds, reportedTotals } from './numbers.ts';
import {
  addTime,
  closeSuite,
  countCase,
  type OpenSuite,
  openSuite,
  pickTotals,
  reportSuiteFailure,
  reportUnfinishedCase,
  type SuiteOutcome,
} from './suites.ts';
import { createXmlLimiter, removeControlCharacters } from './xml-limiter.ts';

const depthMax = 64;
const attributesMax = 200;
const propertiesMax = 200;
const topSuitesMax = 10_000;

type State = ReturnType<typeof createState>;

function createState(collector: CaseCollector, path: string) {
  return {
    collector,
    path,
    elements: [] as string[],
    suites: [] as Suite[],
    openSuites: [] as OpenSuite[],
    properties: Object.create(null) as Record<string, string>,
    propertyCount: 0,
    root: Object.create(null) as Readonly<Record<string, string>>,
    topSuites: [] as Array<Readonly<Record<string, string>>>,
    current: null as OpenCase | null,
    outcome: null as CaseOutcome | null,
    suiteOutcome: null as SuiteOutcome | null,
    cases: 0,
    form: { comma: null } as NumberLocale,
    durationMs: null as number | null,
  };
}

export function createJunitReader(collector: CaseCollector, path: string) {
  const state = createState(collector, path);
  const { parser, refuse } = openParser(state);
  const gate = createXmlLimiter((text) => parser.write(text), {
    refuse,
    // Output keeps its end, other text its start.
    keepsEnd: () => /^system-(?:out|err)$/.test(state.elements.at(-1) ?? ''),
    forbiddenRemoved: () => warnOfControls(collector),
    ampersandForgiven: () => collector.warn('raw_ampersand', 'A text holds "&", which XML wants as "&amp;".'),
  });
  let hasBegun = false;
  return {
    write(text: string): void {
      const clean = removeControlCharacters(text, () => warnOfControls(collector));
      const piece = hasBegun ? clean : clean.trimStart();
      hasBegun ||= piece !== '';
      gate.write(piece);
    },
    /** @throws 400 when the report is incomplete, not well-formed or not JUnit. */
    end() {
      if (!hasBegun) {
        throw unreadableReportError('The JUnit report is empty.');
      }
      gate.end();
      parser.close();
      return summaryOf(state);
    },
  };
}

function openParser(state: State): { parser: SaxesParser; refuse: (sentence: string) => never } {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const refuse = (sentence: string): never => {
    const { line, column } = parser;
    const words = `The JUnit report ${sentence} (line ${line}, column ${column}).`;
    throw unreadableReportError(words, { line, column });
  };
  let attributes = 0;
  parser.on('error', (error) => {
    // node:test writes "]]>" in messages; the parser keeps it.
    if (error.message.includes('disallowed in char data')) {
      state.collector.warn('raw_cdata_end', 'A text holds "]]>", which XML wants as "]]&gt;".');
      return;
    }
    const words = error.message.replace(/^(?:\S*:)?\d+:\d+: ?/, '').replace(/[\s.]+$/, '');
    refuse(`is cut off or not well-formed XML: ${cutText(words, 200)}`);
  });
  parser.on('doctype', () => refuse('has a DOCTYPE, which is not taken'));
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > attributesMax) {
      refuse(`has an element with more than ${attributesMax} attributes`);
    }
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    if (state.elements.length >= depthMax) {
      refuse(`is nested deeper than ${depthMax} levels`);
    }
    if (state.elements.length === 0 && tag.name !== 'testsuites' && tag.name !== 'testsuite') {
      const name = cutText(tag.name, 100);
      const { line, column } = parser;
      throw new OtherDocumentError(
        `The JUnit report is not JUnit: its root element is <${name}>, expected <testsuites> or <testsuite> (line ${line}, column ${column}).`,
        { line, column },
        false,
      );
    }
    const isOther = state.cases === 0 && /^(?:suites?|tests?|case|test-case)$/.test(tag.name);
    if (isOther) refuse(`is not JUnit: it holds <${tag.name}> where <testsuite> or <testcase> is expected`);
    openElement(state, tag);
  });
  parser.on('closetag', (tag) => closeElement(state, tag.name));
  parser.on('text', (text) => collectText(state, text));
  parser.on('cdata', (text) => collectText(state, text));
  return { parser, refuse };
}

function warnOfControls(collector: CaseCollector): void {
  collector.warn('control_characters', 'Control characters that XML forbids were taken out of the report.');
}

function openElement(state: State, { name, attributes }: SaxesTagPlain): void {
  if (state.current !== null) {
    state.outcome = openInCase(state.current, name, attributes) ?? state.outcome;
  } else if (name === 'testsuite' || name === 'testsuites') {
    enterSuite(state, name, attributes);
  } else if (name === 'testcase') {
    state.cases += 1;
    state.current = openCase(attributes);
  } else if (name === 'property' && state.propertyCount < propertiesMax) {
    state.propertyCount += 1;
    state.properties[cutText(attributes['name'] ?? '', 200)] ??= cutText(attributes['value'] ?? '', 2048);
  } else if (name === 'error' || name === 'failure') {
    const { message = null, type = null } = attributes;
    state.suiteOutcome = { message, type, text: '', word: name === 'error' ? 'error' : 'failed' };
  }
  state.elements.push(name);
}

function enterSuite(state: State, name: string, attributes: Readonly<Record<string, string>>): void {
  if (state.elements.length === 0) {
    state.root = attributes;
  }
  // Only to detect the meaning of commas, before the cases are read.
  parseSeconds(attributes['time'], state.form, null);
  state.openSuites.push(openSuite(`${state.path}${cutText(attributes['name'] || name, 200)}`, attributes));
  if (name === 'testsuites') {
    return;
  }
  if (state.suites.length === 0 && state.topSuites.length < topSuitesMax) {
    state.topSuites.push(pickTotals(attributes));
  }
  state.suites.push({
    name: attributes['name'] ?? '',
    file: attributes['file'] ?? attributes['filepath'] ?? null,
    hostname: attributes['hostname'] ?? null,
  });
}

function closeElement(state: State, name: string): void {
  const { collector } = state;
  state.elements.pop();
  if (name === 'testcase' && state.current !== null) {
    closeCase(state, state.current);
    state.current = null;
    state.outcome = null;
  } else if ((name === 'testsuite' || name === 'testsuites') && state.current === null) {
    if (name === 'testsuite') state.suites.pop();
    const suite = state.openSuites.pop();
    if (suite !== undefined) {
      state.durationMs = closeSuite(collector, suite, state.openSuites.at(-1), state.form);
    }
  } else if (state.suiteOutcome !== null && (name === 'error' || name === 'failure')) {
    reportSuiteFailure(collector, state.openSuites.at(-1), state.suiteOutcome);
    state.suiteOutcome = null;
  } else if (name === 'error' || name === 'failure' || name === 'skipped' || isRerunElement(name)) {
    state.outcome = null;
  }
}

function closeCase(state: State, current: OpenCase): void {
  const { collector } = state;
  const suite = state.openSuites.at(-1);
  if (reportUnfinishedCase(collector, suite, current)) return;
  const before = collector.failed;
  const path = `${state.path}testcase[${state.cases - 1}]`;
  const one = toRawCase(current, state.suites, path, state.form, collector);
  collector.add(one);
  if (suite === undefined) return;
  countCase(suite, collector.size - 1, collector.failed > before ? current : null);
  addTime(suite, one.durationMs ?? null);
}

function collectText(state: State, text: string): void {
  const { current, outcome, suiteOutcome } = state;
  const element = state.elements.at(-1);
  if (current === null) {
    const suite = state.openSuites.at(-1);
    if (suiteOutcome !== null) {
      if (suiteOutcome.text.length < textCharactersMax) suiteOutcome.text += cutText(text, textCharactersMax);
    } else if (suite !== undefined && element === 'system-out') {
      suite.stdout = lastOf(suite.stdout + text);
    } else if (suite !== undefined && element === 'system-err') {
      suite.stderr = lastOf(suite.stderr + text);
    }
    return;
  }
  if (element === 'system-out') {
    current.stdout = lastOf(current.stdout + text);
  } else if (element === 'system-err') {
    current.stderr = lastOf(current.stderr + text);
  } else if (element === 'property' && text.trim() !== '') {
    const last = current.properties.pop();
    current.properties.push([last?.[0] ?? '', (last?.[1] ?? '') + cutText(text, 1000)]);
  } else if (outcome !== null && outcome.text.length < textCharactersMax) {
    outcome.text += cutText(text, textCharactersMax);
  }
}

function summaryOf({ root, topSuites, durationMs, properties }: State) {
  const first = topSuites[0];
  return {
    reported: reportedTotals(root, topSuites),
    reportName: root['name'] || first?.['name'] || null,
    durationMs,
    startedAtMs: parseTime(root['timestamp'] ?? first?.['timestamp']),
    context: junitContext(properties),
  };
}

/** Cut rarely, since cutting copies. */
function lastOf(text: string): string {
  return text.length > textCharactersMax ? cutTextFromEnd(text, textCharactersMax / 2) : text;
}
